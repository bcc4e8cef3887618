"""The sum of payments a day, as a forecast would begin."""


def model(dbt, session):  # noqa: ARG001  dbt gives both
    dbt.config(materialized="table", schema="mart", alias="payment_forecast")
    trend = dbt.ref("mart_payment_trend")
    return trend.aggregate("region, direction, avg(total_eur) as expected_eur", "region, direction")
