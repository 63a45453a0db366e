-- What merchants asked for and what providers said of it: wallets, payments, attempts, receipts, and the inbox of raw
-- signals. New tables only: locks nothing. Rows of the hot path (payment, attempt, receipt) carry no foreign keys: each
-- would cost a look-up and a lock per row, and one function alone inserts them, together.

create table wallet (
  merchant_id uuid not null references merchant,
  id uuid not null,
  currency text not null,
  label text not null,
  wallet_type text not null constraint wallet_type_known check (wallet_type in ('SPENDABLE', 'RESERVE')),
  is_default boolean not null,
  is_active boolean not null default true,
  idempotency_key text,
  fingerprint bytea,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint wallet_idempotency unique (merchant_id, idempotency_key),
  constraint wallet_default_spendable check (not is_default or wallet_type = 'SPENDABLE')
);
create unique index wallet_one_default on wallet (merchant_id, currency) where is_default;

create table payment (
  merchant_id uuid not null,
  id uuid not null,
  idempotency_key text not null,
  -- SHA-256 of the canonical body (RFC 8785) without the key, and the body as it was sent.
  fingerprint bytea not null,
  request json not null,
  status text not null constraint payment_status check (
    status in ('PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED')
  ),
  amount_minor bigint not null constraint payment_amount check (amount_minor > 0),
  currency text not null,
  methods text[] not null,
  method text,
  webhook_url text,
  received_minor bigint not null default 0 constraint payment_received check (received_minor >= 0),
  refunded_minor bigint not null default 0,
  -- Mined or authorised, not final.
  seen_minor bigint not null default 0 constraint payment_seen check (seen_minor >= 0),
  -- Paid, settlement delay running.
  unreleased_minor bigint not null default 0 constraint payment_unreleased check (unreleased_minor >= 0),
  fee_minor bigint not null default 0,
  exceptions text[] not null default '{}',
  wallet_id uuid,
  -- The on-chain transaction whose deposit completed the sum.
  completing_tx text,
  last_error json,
  -- How many receipts were booked: numbers the ledger steps of this payment.
  receipts integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz,
  approved_at timestamptz,
  paid_at timestamptz,
  primary key (merchant_id, id),
  constraint payment_idempotency unique (merchant_id, idempotency_key),
  constraint payment_refunded check (refunded_minor between 0 and received_minor)
) with (fillfactor = 80);
create index payment_by_status on payment (merchant_id, status, id);
create index payment_due on payment (expires_at) where status in ('PENDING', 'WAITING_PAYMENT');

-- One method tried for one payment. The id is our reference at the provider.
create table attempt (
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  method text not null,
  connection text not null,
  amount_minor bigint not null constraint attempt_amount check (amount_minor > 0),
  currency text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
create index attempt_by_payment on attempt (merchant_id, payment_id);

-- One thing that a provider or chain said of an attempt. It counts once.
create table receipt (
  connection text not null,
  provider_ref text not null,
  outcome text not null constraint receipt_outcome check (
    outcome in ('seen', 'orphaned', 'authorised', 'voided', 'paid')
  ),
  occurrence integer not null constraint receipt_occurrence check (occurrence > 0),
  merchant_id uuid not null,
  payment_id uuid not null,
  attempt_id uuid not null,
  -- Numbers the receipts of a payment; the ledger's steps carry it.
  ordinal integer not null,
  -- The money on its way that this receipt announced or ended.
  pending_ref text,
  -- What was booked for it: to pending for a sighting, to available for a final one.
  booked_minor bigint not null constraint receipt_booked check (booked_minor >= 0),
  currency text not null,
  evidence bytea not null,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (connection, provider_ref, outcome, occurrence),
  constraint receipt_ordinal unique (merchant_id, payment_id, ordinal)
);
create index receipt_by_pending on receipt (connection, pending_ref) where pending_ref is not null;

-- Raw bytes from outside, kept before they are understood. A row leaves when what it says has been settled.
create table inbox (
  id bigint generated always as identity primary key,
  method text not null,
  connection text not null,
  body bytea not null,
  received_at timestamptz not null,
  tries integer not null default 0,
  due_at timestamptz not null,
  -- After too many tries a row waits for a person.
  parked boolean not null default false,
  last_error text
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index inbox_due on inbox (due_at, id) where not parked;
