{# All rows of models that have the same columns. #}
{% macro union_all(models) -%}
{%- for model in models %}
select * from {{ ref(model) }}
{%- if not loop.last %}
union all
{%- endif %}
{%- endfor %}
{%- endmacro %}
