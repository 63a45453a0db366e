-- Lists by rare kinds: one index for each list, in which every combination of its filters is a few short ranges. Beside the
-- traffic.

-- step outside a transaction
create index concurrently payment_by_kind on payment (merchant_id, currency, status, id);

-- The same, less the currency.
-- step outside a transaction
drop index concurrently if exists payment_by_status;

-- step outside a transaction
create index concurrently refund_by_kind on refund (merchant_id, currency, status, id);

-- step outside a transaction
create index concurrently dispute_by_kind on dispute (merchant_id, currency, status, id);

-- step outside a transaction
create index concurrently withdrawal_by_kind on withdrawal (merchant_id, type, currency, status, id);

-- step outside a transaction
create index concurrently own_transfer_by_source on own_transfer (merchant_id, from_wallet_id, id);

-- step outside a transaction
create index concurrently own_transfer_by_target on own_transfer (merchant_id, to_wallet_id, id);
