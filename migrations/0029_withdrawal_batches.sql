-- Batches of withdrawals: accepted together or not at all. Each withdrawal of one has its own end.

create table withdrawal_batch (
  merchant_id uuid not null,
  id uuid not null,
  idempotency_key text not null,
  -- The SHA-256 of the canonical form (RFC 8785) of its withdrawals, as they were sent.
  fingerprint bytea not null,
  -- The API key that asked for it, which may not approve it.
  requested_by uuid not null,
  count integer not null constraint withdrawal_batch_count check (count between 1 and 1000),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint withdrawal_batch_idempotency unique (merchant_id, idempotency_key)
);

-- The batch of a withdrawal, and its place in it from 0 on. Absent: it was requested alone.
alter table withdrawal add column batch_id uuid, add column batch_place integer;

-- How far a batch is.
-- step outside a transaction
create index concurrently withdrawal_by_batch on withdrawal (merchant_id, batch_id, status, id) where batch_id is not null;
