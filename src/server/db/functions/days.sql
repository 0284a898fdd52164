-- The day in a currency's zone. Limits are counted by it (limit_usage.starts, transactions.limit_day).
create or replace function local_day(at timestamptz, zone_minutes integer) returns date language sql immutable
  return ((at at time zone 'UTC') + make_interval(mins => zone_minutes))::date;

-- The instant a currency's day begins.
create or replace function day_start(day date, zone_minutes integer) returns timestamptz language sql immutable
  return ((day::timestamp - make_interval(mins => zone_minutes)) at time zone 'UTC');
