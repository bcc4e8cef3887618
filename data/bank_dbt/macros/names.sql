{# Models are told apart by their layer, stg_account and core_account; in the database each layer is a schema. #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}

{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {{ custom_alias_name or node.name.split('_', 1)[1] }}
{%- endmacro %}
