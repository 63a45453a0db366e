-- All events of one record, in order, and what was reported of a payment's refunds and disputes: an explanation shows each. An id names
-- one record of one merchant, and ids grow with time, so new entries lie at the end of the first index. Beside the traffic.

-- step outside a transaction
create index concurrently event_by_resource on event (resource_id, sequence);

-- Few receipts are of these outcomes: others pay for the comparison alone.
-- step outside a transaction
create index concurrently receipt_going_back on receipt (merchant_id, payment_id, ordinal)
  where outcome in ('refunded', 'refund_failed', 'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost');
