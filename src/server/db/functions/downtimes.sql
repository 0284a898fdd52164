-- The windows of a downtime that meet [from_at, to_at). A repetition begins at the same time of day in its zone (one that summer time
-- leaves out begins as much later, one that comes twice at the second time) and lasts as long as the first.
create or replace function downtime_windows(d downtimes, from_at timestamptz, to_at timestamptz)
returns table (starts_at timestamptz, ends_at timestamptz) language sql stable
begin atomic
  select w.starts_at, w.ends_at from (
    select s.starts_at, case when (d).cut_at > s.starts_at and (d).cut_at < s.starts_at + ((d).ends_at - (d).starts_at) then (d).cut_at
        else s.starts_at + ((d).ends_at - (d).starts_at) end as ends_at, s.n
    from (
      select n, case when n = 0 then (d).starts_at
          else (((d).starts_at at time zone coalesce((d).zone, 'UTC')) + n * interval '7 days') at time zone coalesce((d).zone, 'UTC')
        end as starts_at
      from generate_series(
        case when (d).weekly then greatest(0, floor(extract(epoch from from_at - (d).ends_at) / 604800)::integer - 1) else 0 end,
        case when (d).weekly then ceil(extract(epoch from to_at - (d).starts_at) / 604800)::integer + 1 else 0 end) n) s) w
  where w.starts_at < to_at and w.ends_at > from_at
    and (w.n = 0 or (d).repeats_until is null or w.starts_at < (d).repeats_until);
end;

-- Until when something is down at a moment, by its own downtimes and those of what stands above it; null: it is not.
create or replace function down_until(wanted_tenant uuid, account uuid, provider uuid, game uuid, at timestamptz)
returns timestamptz language sql stable
begin atomic
  select max(w.ends_at) from downtimes d cross join lateral downtime_windows(d, at, at + interval '1 microsecond') w
  where d.tenant_id = wanted_tenant
    and (d.master_account_id = account or d.merchant_provider_id = provider or d.provider_game_id = game);
end;
