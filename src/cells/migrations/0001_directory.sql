-- The directory of an installation with several cells: which cells there are and where, where each merchant is, and what at a provider or on a
-- chain belongs to which cell. A database or schema of its own, that only commands and operators' acts use: no request waits for it.

create table cell (
  code text primary key constraint cell_code check (code ~ '^[a-z0-9]{2}$'),
  -- DRAINING: it serves whom it has, and gets no new merchants.
  state text not null default 'ACTIVE' constraint cell_state check (state in ('ACTIVE', 'DRAINING')),
  -- It answers calls whose code no cell has.
  is_default boolean not null default false,
  -- host:port of the API of each process; pages, callbacks and dashboard are on the ports after it.
  servers text[] not null constraint cell_servers check (cardinality(servers) between 1 and 100),
  -- Host names of this cell alone: of callbacks with client certificates, and of the dashboard.
  callback_host text,
  dashboard_host text,
  -- Where its books are, for people: a URL without a password.
  books text,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create unique index cell_one_default on cell (is_default) where is_default;

create table placed_merchant (
  id uuid primary key,
  cell text not null references cell (code),
  mode text not null constraint placed_merchant_mode check (mode in ('LIVE', 'SANDBOX')),
  name text not null,
  -- PENDING: it may be in its cell already; the same command goes on.
  state text not null default 'PENDING' constraint placed_merchant_state check (state in ('PENDING', 'ACTIVE')),
  created_at timestamptz not null default clock_timestamp(),
  active_at timestamptz,
  constraint placed_merchant_active check ((state = 'ACTIVE') = (active_at is not null))
);
create unique index placed_merchant_pending on placed_merchant (cell, mode, name) where state = 'PENDING';
create index placed_merchant_cell on placed_merchant (cell);

-- An account at a provider, or an address on a chain, that one cell alone may use: both would count what comes in there.
create table claim (
  kind text not null constraint claim_kind check (kind in ('PROVIDER_ACCOUNT', 'TREASURY', 'HOT_WALLET', 'GAS_WALLET')),
  account text primary key,
  cell text not null references cell (code),
  created_at timestamptz not null default clock_timestamp()
);

-- Who changed the cells.
create table cell_change (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  cell text not null,
  action text not null,
  who text not null,
  after jsonb not null
);
