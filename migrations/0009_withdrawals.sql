-- Money that leaves by a merchant's wish: what was asked for, who is asked next, and the limits that an operator sets.

create table withdrawal (
  merchant_id uuid not null,
  id uuid not null,
  type text not null constraint withdrawal_type check (type in ('PIX', 'CRYPTO')),
  status text not null constraint withdrawal_status check (
    status in ('PENDING', 'PENDING_APPROVAL', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELED')
  ),
  -- What the recipient gets; the fee is on top of it.
  amount_minor bigint not null constraint withdrawal_amount check (amount_minor > 0),
  fee_minor bigint not null constraint withdrawal_fee check (fee_minor >= 0),
  currency text not null,
  wallet_id uuid not null,
  connection text not null,
  -- Chosen before the first call, and the provider's idempotency key.
  reference text not null,
  -- Where it goes, in its normal form.
  destination json not null,
  -- The body as it was sent, and the SHA-256 of its canonical form (RFC 8785).
  request json not null,
  fingerprint bytea not null,
  idempotency_key text,
  -- The API key that asked for it, which may not approve it.
  requested_by uuid not null,
  decided_by uuid,
  provider_ref text,
  end_to_end_id text,
  tx_hash text,
  failure json,
  returned_minor bigint not null default 0 constraint withdrawal_returned check (
    returned_minor between 0 and amount_minor
  ),
  -- Its result stays unknown for so long that a person has to look.
  review_required boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- Why a person said how it ended.
  note text,
  primary key (merchant_id, id),
  constraint withdrawal_idempotency unique (merchant_id, idempotency_key),
  -- The reference first: a callback names it without the connection.
  constraint withdrawal_reference unique (reference, connection)
) with (fillfactor = 80);
create unique index withdrawal_by_id on withdrawal (id);
create index withdrawal_by_status on withdrawal (merchant_id, status, id);

-- Withdrawals whose end is not known: when their provider is asked next. Kept apart, so that no sender locks a withdrawal.
create table withdrawal_due (
  merchant_id uuid not null,
  withdrawal_id uuid not null,
  due_at timestamptz not null,
  sends integer not null default 0,
  -- When its provider was first asked, and when last without an answer that says whether anything was sent.
  begun_at timestamptz,
  asked_at timestamptz,
  primary key (merchant_id, withdrawal_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index withdrawal_due_at on withdrawal_due (due_at);

-- Absent: no limit. Of a merchant's withdrawals of one type and currency.
create table withdrawal_limit (
  merchant_id uuid not null references merchant,
  type text not null,
  currency text not null,
  each_minor bigint constraint withdrawal_limit_each check (each_minor > 0),
  day_minor bigint constraint withdrawal_limit_day check (day_minor > 0),
  -- More than this waits for a second person.
  approval_above_minor bigint constraint withdrawal_limit_approval check (approval_above_minor >= 0),
  -- Only to destinations of the list.
  listed_only boolean not null default false,
  primary key (merchant_id, type, currency)
);

create table withdrawal_destination (
  merchant_id uuid not null references merchant,
  type text not null,
  -- The normal form of the PIX key or the address.
  destination text not null,
  note text,
  created_at timestamptz not null,
  primary key (merchant_id, type, destination)
);

-- What was accepted on each day (UTC) and did not fail since.
create table withdrawal_spent (
  merchant_id uuid not null,
  type text not null,
  currency text not null,
  day date not null,
  minor bigint not null constraint withdrawal_spent_minor check (minor >= 0),
  primary key (merchant_id, type, currency, day)
) with (fillfactor = 50);
