-- What waits for a person or a worker, among everything that there ever was. Beside the traffic; most of these hold few rows.

-- step outside a transaction
create index concurrently withdrawal_open on withdrawal (status, id)
  where status in ('PENDING', 'PENDING_APPROVAL', 'PROCESSING');

-- step outside a transaction
create index concurrently withdrawal_review on withdrawal (id) where review_required;

-- step outside a transaction
create index concurrently refund_open on refund (connection) where status = 'PENDING';

-- What a provider said of the same money besides has its name and something more: in bytes, that is a range.
-- step outside a transaction
create index concurrently unmatched_by_name on unmatched (connection, provider_ref collate "C");

-- step outside a transaction
create index concurrently chain_tx_ended on chain_tx (final_at)
  where purpose = 'PAYOUT' and state in ('FINAL', 'FAILED') and not units_booked;

-- step outside a transaction
create index concurrently chain_tx_unended on chain_tx (chain, purpose)
  where state in ('QUEUED', 'RESERVED', 'SIGNED', 'BROADCAST', 'MINED');

-- step outside a transaction
create index concurrently coin_move_by_tx on coin_move (chain, tx_hash);
