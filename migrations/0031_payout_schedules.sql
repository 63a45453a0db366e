-- Payout schedules: a wallet pays out by itself to a listed destination, daily, weekly or above an amount.

create table payout_schedule (
  merchant_id uuid not null,
  id uuid not null,
  status text not null constraint payout_schedule_status check (status in ('ACTIVE', 'PAUSED', 'ENDED')),
  wallet_id uuid not null,
  currency text not null,
  -- The fields of each withdrawal that it makes, as they were sent: all but the amount.
  request json not null,
  fingerprint bytea not null,
  idempotency_key text,
  -- When it pays, and how much stays.
  rule json not null,
  -- The API key that made it: it may not approve what the schedule requests.
  requested_by uuid not null,
  -- When it is looked at next; absent while it is not ACTIVE.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_outcome text,
  last_withdrawal_id uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint payout_schedule_idempotency unique (merchant_id, idempotency_key),
  constraint payout_schedule_active check ((next_run_at is not null) = (status = 'ACTIVE'))
);
create index payout_schedule_next_run on payout_schedule (next_run_at) where next_run_at is not null;
create index payout_schedule_open on payout_schedule (merchant_id) where status <> 'ENDED';

-- The schedule that requested it.
alter table withdrawal add column schedule_id uuid;
