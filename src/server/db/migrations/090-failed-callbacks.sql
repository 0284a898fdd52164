-- A merchant's callbacks that were given up are counted by day in its report.
drop index outbox_failed;
create index outbox_failed on outbox (tenant_id, merchant_id, created_at) where state = 'failed';
