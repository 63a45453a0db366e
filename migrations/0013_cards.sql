-- Money that is authorised before it is taken, money that waits before it can be withdrawn, providers that are asked how an
-- attempt stands, and callbacks that are signed. New tables, and columns without a default that rewrites a row: locks nothing
-- for long.

alter table receipt
  -- Of what was captured of an authorisation: how much was authorised in all.
  add column authorised_minor bigint;

-- A refund that failed may be done after all when another has taken its money: then more goes back than came.
alter table payment drop constraint payment_refunded;
alter table payment add constraint payment_refunded check (refunded_minor >= 0);

alter table refund
  -- How much of it was held out of money that was not released yet.
  add column unreleased_minor bigint not null default 0 constraint refund_unreleased check (unreleased_minor >= 0);

-- Final money that waits in a wallet's pending balance until its provider's delay is over. One row for each receipt of it.
create table release (
  merchant_id uuid not null,
  payment_id uuid not null,
  -- The receipt's, among those of the payment.
  ordinal integer not null,
  currency text not null,
  -- What came less our fee. Refunds and disputes may take of it before it is released.
  minor bigint not null constraint release_minor check (minor > 0),
  release_at timestamptz not null,
  released_at timestamptz,
  released_minor bigint constraint release_released check (released_minor between 0 and minor),
  primary key (merchant_id, payment_id, ordinal),
  constraint release_whole check ((released_at is null) = (released_minor is null))
) with (fillfactor = 80);
create index release_due on release (release_at) where released_at is null;

-- What is to be done to an authorisation: one thing, once. The provider is asked until it says that it was done.
create table authorisation_order (
  merchant_id uuid not null,
  attempt_id uuid not null,
  payment_id uuid not null,
  kind text not null constraint authorisation_order_kind check (kind in ('CAPTURE', 'VOID')),
  -- Of a capture: how much, of how much.
  amount_minor bigint constraint authorisation_order_amount check (amount_minor > 0),
  authorised_minor bigint not null,
  -- Whether the merchant asked for it. Else it is what nobody wants any more.
  is_asked boolean not null,
  due_at timestamptz not null,
  sends integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, attempt_id),
  constraint authorisation_order_whole check ((kind = 'CAPTURE') = (amount_minor is not null))
) with (fillfactor = 50);
create index authorisation_order_due on authorisation_order (due_at) where ended_at is null;

-- Attempts whose provider is asked, again and again, what became of them: callbacks get lost. A row leaves when nothing can
-- come of its attempt any more.
create table attempt_check (
  merchant_id uuid not null,
  attempt_id uuid not null,
  opened_at timestamptz not null,
  -- When the provider last answered.
  checked_at timestamptz,
  due_at timestamptz not null,
  -- Looks in a row that nobody answered.
  silent integer not null default 0,
  primary key (merchant_id, attempt_id)
) with (fillfactor = 50);
create index attempt_check_due on attempt_check (due_at);

-- Callbacks that were kept, by their providers' names of them: each counts once. Old ones are forgotten.
create table callback_event (
  connection text not null,
  event_id text not null,
  received_at timestamptz not null,
  primary key (connection, event_id)
);
create index callback_event_by_time on callback_event (received_at);
