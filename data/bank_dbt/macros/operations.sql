{# Empty tables for what source systems would deliver: dbt run-operation create_sources #}
{% macro create_sources() %}
    {% for source in graph.sources.values() %}
        {% do run_query('create schema if not exists ' ~ source.schema) %}
        {% set columns = [] %}
        {% for column in source.columns.values() %}
            {% do columns.append((adapter.quote(column.name) if column.quote else column.name) ~ ' ' ~ column.data_type) %}
        {% endfor %}
        {% do run_query('create table if not exists ' ~ source.relation_name ~ ' (' ~ columns | join(', ') ~ ')') %}
    {% endfor %}
{% endmacro %}

{% macro keep_run_log() -%}
create table if not exists core.run_log as select 'bank' as project, current_timestamp as ended_at
{%- endmacro %}
