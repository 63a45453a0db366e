-- Who uses the service: merchants, their API keys, and credentials at providers. New tables only: locks nothing.

create table merchant (
  id uuid primary key,
  mode text not null constraint merchant_mode check (mode in ('LIVE', 'SANDBOX')),
  name text not null,
  -- Sealed under the master key. The previous one signs too until its overlap is over.
  webhook_secret bytea not null,
  webhook_secret_previous bytea,
  webhook_secret_rotated_at timestamptz,
  created_at timestamptz not null
);

create table api_key (
  merchant_id uuid not null references merchant,
  id uuid not null,
  -- HMAC of the key; the key itself is shown once and never stored.
  digest bytea not null,
  last_four text not null,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (merchant_id, id),
  constraint api_key_digest unique (digest)
);

-- Credentials at one provider: one merchant's, or shared by every merchant of the mode when merchant_id is absent.
create table connection (
  id text primary key,
  merchant_id uuid references merchant,
  mode text not null constraint connection_mode check (mode in ('LIVE', 'SANDBOX')),
  method text not null,
  provider text not null,
  -- What is no secret: addresses, currencies, the chain's key.
  settings jsonb not null,
  sealed bytea,
  is_active boolean not null default true,
  created_at timestamptz not null
);
create index connection_by_merchant on connection (merchant_id, method);

-- What we keep of each merchant's payments of one method and currency. No row: no fee.
create table fee_rule (
  merchant_id uuid not null references merchant,
  method text not null,
  currency text not null,
  fixed_minor bigint not null constraint fee_rule_fixed check (fixed_minor >= 0),
  -- Millionths of the amount: 15000 is 1.5 %.
  rate_ppm bigint not null constraint fee_rule_rate check (rate_ppm between 0 and 1000000),
  primary key (merchant_id, method, currency)
);
