-- Splits: who gets which share of a payment. New tables, and two new columns without a default: locks nothing for long.

create table payment_split (
  merchant_id uuid not null,
  payment_id uuid not null,
  -- The subject of the transfers of its shares.
  id uuid not null constraint payment_split_id unique,
  -- The currency of the books in which the payment receives.
  currency text not null,
  -- The sub-account that pays our fee from its share. Absent: the platform.
  fee_payer uuid,
  -- Money that came when the payment was PAID already, and did not go back. Below zero when more of it is disputed than came.
  duplicate_minor bigint not null default 0,
  -- Money that waits for a settlement delay, before our fee.
  waiting_minor bigint not null default 0 constraint payment_split_waiting check (waiting_minor >= 0),
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, payment_id)
);

create table payment_share (
  merchant_id uuid not null,
  payment_id uuid not null,
  ordinal integer not null constraint payment_share_ordinal check (ordinal between 1 and 20),
  id uuid not null,
  sub_account_id uuid not null,
  wallet_id uuid not null,
  amount_minor bigint constraint payment_share_amount check (amount_minor > 0),
  -- Millionths of the base: 333300 is 33.33 %.
  rate_ppm bigint constraint payment_share_rate check (rate_ppm between 1 and 1000000),
  label text,
  -- What the books have given of the base, less what went back.
  booked_minor bigint not null default 0 constraint payment_share_booked check (booked_minor >= 0),
  -- What it has paid of our fee.
  fee_minor bigint not null default 0 constraint payment_share_fee check (fee_minor >= 0),
  created_at timestamptz not null,
  primary key (merchant_id, payment_id, ordinal),
  constraint payment_share_once unique (merchant_id, payment_id, sub_account_id),
  constraint payment_share_terms check ((amount_minor is null) <> (rate_ppm is null))
);
create index payment_share_by_recipient on payment_share (sub_account_id, id);
