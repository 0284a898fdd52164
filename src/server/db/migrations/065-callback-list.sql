-- Callbacks are listed newest first: by merchant, and those that no merchant has taken, which are few among all of them. The id of a
-- callback begins with its time.
create index outbox_of_merchant on outbox (tenant_id, merchant_id, id);
create index outbox_undelivered on outbox (tenant_id, id) where state <> 'delivered';
