-- Saved views in the counters pane: pinned by a user for themselves, or by a shared view's maker for everybody of the tenant.

-- {"threshold": …} (contract/preferences.ts, Pin); null: it is not pinned
alter table saved_views
  add column pin jsonb,
  add column pinned_at timestamptz,
  add constraint saved_views_pin check ((pin is null) = (pinned_at is null) and (pin is null or shared));
create index saved_views_pinned on saved_views (tenant_id) where pin is not null;

alter table view_places
  add column pin jsonb,
  add column pinned_at timestamptz,
  add constraint view_places_pin check ((pin is null) = (pinned_at is null));
