-- Rails with a provider behind them: what opening an attempt gave, refunds, disputes, money that is nobody's yet,
-- and how far each connection was looked through for lost callbacks.

-- What sends money out is sealed under another key than what takes it in: only a worker has it.
alter table connection
  add column sealed_refunds bytea,
  add column changed_at timestamptz not null default now();
create index connection_by_change on connection (changed_at);

-- What the payer needs, as the rail keeps it. Absent until the provider answered.
alter table attempt add column artifacts json;
-- A provider names our reference alone. Deposits are found by their address.
create unique index attempt_by_id on attempt (id) where method <> 'CRYPTO';

-- Attempts that nobody is to pay any more, until their provider knows it.
create table attempt_closing (
  merchant_id uuid not null,
  attempt_id uuid not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (merchant_id, attempt_id)
) with (fillfactor = 50);
create index attempt_closing_due on attempt_closing (due_at);

alter table payment
  -- Taken back, or about to be, by disputes that are open or lost.
  add column disputed_minor bigint not null default 0 constraint payment_disputed check (disputed_minor >= 0);

alter table receipt drop constraint receipt_outcome;
alter table receipt add constraint receipt_outcome check (
  outcome in (
    'seen', 'orphaned', 'authorised', 'voided', 'paid', 'refunded', 'refund_failed',
    'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost'
  )
);

create table refund (
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  attempt_id uuid not null,
  method text not null,
  connection text not null,
  -- The provider's name of the money that goes back.
  paid_ref text not null,
  wallet_id uuid not null,
  amount_minor bigint not null constraint refund_amount check (amount_minor > 0),
  currency text not null,
  status text not null constraint refund_status check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  reason text,
  metadata json,
  failure json,
  idempotency_key text,
  -- SHA-256 of the payment and the canonical body (RFC 8785), and the body as it was sent.
  fingerprint bytea not null,
  request json not null,
  version integer not null default 1,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id),
  constraint refund_idempotency unique (merchant_id, idempotency_key)
) with (fillfactor = 80);
create unique index refund_by_id on refund (id);
create index refund_by_payment on refund (merchant_id, payment_id);

-- Refunds whose end is not known: when the provider is asked next. Kept apart, so that no sender locks a refund.
create table refund_due (
  merchant_id uuid not null,
  refund_id uuid not null,
  due_at timestamptz not null,
  sends integer not null default 0,
  primary key (merchant_id, refund_id)
) with (fillfactor = 50);
create index refund_due_at on refund_due (due_at);

create table dispute (
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  connection text not null,
  -- The provider's name of the dispute, and of the money that it is about.
  provider_ref text not null,
  paid_ref text not null,
  wallet_id uuid not null,
  kind text not null constraint dispute_kind check (kind in ('CHARGEBACK', 'MED')),
  status text not null constraint dispute_status check (status in ('OPEN', 'WON', 'LOST')),
  -- Whether the provider has taken the money from us.
  is_taken boolean not null default false,
  amount_minor bigint not null constraint dispute_amount check (amount_minor > 0),
  fee_minor bigint not null default 0 constraint dispute_fee check (fee_minor >= 0),
  currency text not null,
  reason text,
  evidence_due_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (merchant_id, id),
  constraint dispute_once unique (connection, provider_ref)
) with (fillfactor = 80);
create index dispute_by_payment on dispute (merchant_id, payment_id);

-- Receipts that fit no attempt: their money lies in suspense until a person says whose it is.
create table unmatched (
  id uuid primary key,
  mode text not null constraint unmatched_mode check (mode in ('LIVE', 'SANDBOX')),
  connection text not null,
  provider_ref text not null,
  outcome text not null,
  occurrence integer not null,
  reason text not null,
  amount_minor bigint not null constraint unmatched_amount check (amount_minor > 0),
  currency text not null,
  evidence bytea not null,
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  resolved_at timestamptz,
  -- CREDITED to a wallet, or RETURNED by the provider.
  resolution text constraint unmatched_resolution check (resolution in ('CREDITED', 'RETURNED')),
  wallet_id uuid,
  note text,
  constraint unmatched_once unique (connection, provider_ref, outcome, occurrence)
);
create index unmatched_open on unmatched (recorded_at) where resolved_at is null;

-- How far each connection was looked through, once for each length of look.
create table reconciliation (
  connection text not null,
  look text not null,
  -- Everything before this instant was looked at.
  through timestamptz not null,
  due_at timestamptz not null,
  primary key (connection, look)
) with (fillfactor = 50);
