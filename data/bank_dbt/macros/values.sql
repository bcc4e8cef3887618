{# What stands for an open end. #}
{% macro open_end() -%}
    date '9999-12-31'
{%- endmacro %}

{# The region of a booking centre of the custody system. #}
{% macro region_of_centre(column) -%}
    case {{ column }} when 'ZRH' then 'EU' when 'NYC' then 'US' else 'APAC' end
{%- endmacro %}

{# An amount in euros: as it is, or converted at a rate of the kind wanted. #}
{% macro in_euros(amount, currency, kind='OFFICIAL') -%}
    case
        when {{ currency }} = 'EUR' then {{ amount }}
        when fx_rate.rate_kind = '{{ kind }}' then {{ amount }} * fx_rate.rate
    end
{%- endmacro %}
