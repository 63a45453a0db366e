-- Finding payments, withdrawals and refunds by what a merchant knows of them. Each filter of a list has one index: the merchant, the
-- value, the id. Long texts, and what is personal, are in it as a hash of four bytes; the row itself is compared afterwards.

-- The keys of metadata that a merchant wants to find by, once for each kind of record that has metadata of its own. A worker fills
-- in the records of before, and clears away what belongs to a key that was taken from the list.
create table metadata_key (
  merchant_id uuid not null references merchant,
  id integer generated always as identity,
  resource text not null constraint metadata_key_resource check (resource in ('PAYMENT', 'WITHDRAWAL')),
  name text not null,
  status text not null constraint metadata_key_status check (status in ('FILLING', 'READY', 'REMOVING')),
  -- FILLING: the records up to this one are filled in.
  filled_to uuid,
  -- When it was declared or, REMOVING, taken from the list.
  changed_at timestamptz not null,
  -- What shares the worker's slots: the merchant.
  connection text not null,
  due_at timestamptz not null,
  takes integer not null default 0,
  primary key (merchant_id, id)
) with (fillfactor = 50);
create unique index metadata_key_once on metadata_key (merchant_id, resource, name) where status <> 'REMOVING';
create index metadata_key_turn on metadata_key (connection, due_at) where status <> 'READY';

-- One row for each record that has a value under a declared key. Beside the records, so that filling in old ones locks none of them.
create table metadata_value (
  merchant_id uuid not null,
  key_id integer not null,
  value_hash integer not null,
  record_id uuid not null,
  primary key (merchant_id, key_id, value_hash, record_id)
);

-- Beside the traffic.

-- step outside a transaction
create index concurrently payment_by_amount on payment (merchant_id, amount_minor, id);

-- step outside a transaction
create index concurrently payment_by_email on payment (
  merchant_id, hashtext(lower(coalesce(request ->> 'customerEmail', payer ->> 'email') collate "C")), id
) where coalesce(request ->> 'customerEmail', payer ->> 'email') is not null;

-- step outside a transaction
create index concurrently payment_by_tax_id on payment (
  merchant_id, hashtext(coalesce(request ->> 'customerTaxId', payer ->> 'taxId')), id
) where coalesce(request ->> 'customerTaxId', payer ->> 'taxId') is not null;

-- The few with an exception, by the set of their exceptions as a number.
-- step outside a transaction
create index concurrently payment_by_exceptions on payment (
  merchant_id,
  (
    ('UNDERPAID' = any (exceptions))::integer + 2 * ('OVERPAID' = any (exceptions))::integer
    + 4 * ('LATE' = any (exceptions))::integer + 8 * ('DUPLICATE' = any (exceptions))::integer
  ),
  id
) where exceptions <> '{}';

-- Transfers that are final have such an index already.
-- step outside a transaction
create index concurrently chain_transfer_seen_tx on chain_transfer (chain, tx_hash) where state = 'SEEN';

-- The end-to-end id of money that came is found by the key of its receipt, which begins with the connection.
-- step outside a transaction
create index concurrently connection_by_merchant on connection (merchant_id, method);

-- step outside a transaction
create index concurrently withdrawal_by_amount on withdrawal (merchant_id, amount_minor, id);

-- A withdrawal has one of them.
-- step outside a transaction
create index concurrently withdrawal_by_reference on withdrawal (
  merchant_id, hashtext(coalesce(end_to_end_id, tx_hash)), id
) where coalesce(end_to_end_id, tx_hash) is not null;

-- step outside a transaction
create index concurrently withdrawal_by_destination on withdrawal (merchant_id, hashtext(destination ->> 'text'), id);

-- step outside a transaction
create index concurrently refund_by_amount on refund (merchant_id, amount_minor, id);

-- step outside a transaction
create index concurrently refund_by_tx on refund (merchant_id, hashtext(tx_hash), id) where tx_hash is not null;
