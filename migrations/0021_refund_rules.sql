-- Which money came when its payment was PAID already, and the rules of refunds that we send ourselves. Columns are nullable
-- or have a constant default, so no row is rewritten; the constraint and the index come beside the traffic.

-- Of final money: whether its payment was PAID before it came. Null for what was recorded before this column.
alter table receipt add column is_duplicate boolean;

alter table refund
  -- By what it leaves, when we send it: it counts to the merchant's limits of such withdrawals.
  add column payout_type text,
  -- The API key that asked for it, which may not approve it, and the one that decided last.
  add column requested_by uuid,
  add column decided_by uuid,
  -- Held, and sent by nobody until a second person approves.
  add column approval_required boolean not null default false;
alter table refund add constraint refund_approval check (not approval_required or status = 'PENDING') not valid;
-- So many of its sends ended in the knowledge that nothing was sent. Any other may have been.
alter table refund_due add column unsent integer not null default 0;

-- step
alter table refund validate constraint refund_approval;

-- Those that wait for a person: few.
-- step outside a transaction
create index concurrently refund_for_approval on refund (merchant_id, id) where approval_required;
