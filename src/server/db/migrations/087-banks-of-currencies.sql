-- Each currency has banks of its own: without this the planner takes a bank's withdrawals for a thirtieth of what they are, and reads and
-- sorts all of them where it could read a page in the order of the list.
create statistics transactions_banks (mcv) on tenant_id, currency, kind, bank from transactions;
