-- The list of withdrawals has an index of its own since 0023, which finds states too: this one was written for nothing.
-- step outside a transaction
drop index concurrently if exists withdrawal_by_status;
