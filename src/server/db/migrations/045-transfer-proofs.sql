-- What proves a transfer: bank lines of each of its sides, and receipts.

alter table bank_matches
  alter column transaction_id drop not null,
  add column transfer_id uuid,
  -- of a transfer: the account that paid, or the one that received
  add column side text check (side in ('source', 'target')),
  add constraint bank_matches_transfer_exists foreign key (tenant_id, transfer_id) references transfers (tenant_id, id),
  add constraint of_one check ((transaction_id is null) <> (transfer_id is null) and (transfer_id is null) = (side is null));
-- a side of a transfer has one line
create unique index bank_matches_transfer on bank_matches (tenant_id, transfer_id, side) where undone_at is null and transfer_id is not null;
create index bank_matches_of_transfer on bank_matches (tenant_id, transfer_id) where transfer_id is not null;

-- What a line of one account and amount may belong to.
create index transfers_source_fitting on transfers (tenant_id, source_id, amount_key, created_at) where source_id is not null and status <> 'rejected';
create index transfers_source_fitting_charged on transfers (tenant_id, source_id, final_amount_key, created_at)
  where source_id is not null and status <> 'rejected' and charges > 0;
create index transfers_target_fitting on transfers (tenant_id, target_id, amount_key, created_at) where target_id is not null and status <> 'rejected';

alter table receipts
  alter column transaction_id drop not null,
  add column transfer_id uuid,
  add constraint receipts_transfer foreign key (tenant_id, transfer_id) references transfers (tenant_id, id),
  add constraint of_one check ((transaction_id is null) <> (transfer_id is null));
create unique index receipts_transfer_hash on receipts (tenant_id, transfer_id, hash) where removed_at is null and transfer_id is not null;
drop trigger fixed on receipts;
call fix_columns('receipts', 'tenant_id, id, transaction_id, transfer_id, currency, type, size, hash, name, by_user, actor, added_at');
alter table transfers add constraint transfers_receipt foreign key (tenant_id, receipt_id) references receipts (tenant_id, id);
