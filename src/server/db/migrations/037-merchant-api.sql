-- What a merchant is told of a rejection; the reason itself may be internal.
alter table transactions add column told_reason text;

-- A merchant follows its own transactions by their last change.
create index transactions_changed on transactions (tenant_id, merchant_id, last_action_at, id);
