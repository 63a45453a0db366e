-- Links that a merchant shares: each time a payer sends the form of its page, a payment is made.

create table payment_link (
  merchant_id uuid not null references merchant,
  id uuid not null,
  token text not null constraint payment_link_token unique,
  url text not null,
  idempotency_key text,
  fingerprint bytea not null,
  -- What the merchant sent: name, texts, checkout, metadata, and what its payments are made with.
  request json not null,
  currency text not null,
  -- The amount, or the least and the most that the payer may choose.
  amount_minor bigint,
  min_minor bigint,
  max_minor bigint,
  -- How many payments may be PAID or can still be. Absent: any number.
  uses_max integer,
  expires_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint payment_link_key unique (merchant_id, idempotency_key),
  constraint payment_link_amount check (
    (amount_minor > 0 and min_minor is null and max_minor is null)
    or (amount_minor is null and min_minor > 0 and max_minor >= min_minor)),
  constraint payment_link_uses check (uses_max > 0)
);

-- Lists of links that are archived, or that are not, and the count of those that are not.
create index payment_link_open on payment_link (merchant_id, id) where archived_at is null;
create index payment_link_archived on payment_link (merchant_id, id) where archived_at is not null;

-- The link that made the payment.
alter table payment add column link_id uuid;

-- step outside a transaction
create index concurrently payment_by_link on payment (merchant_id, link_id, id) where link_id is not null;

-- step outside a transaction
create index concurrently payment_link_use on payment (merchant_id, link_id, status) where link_id is not null;
