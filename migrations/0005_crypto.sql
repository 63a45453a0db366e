-- The crypto rail's own books: deposit addresses, what was seen on chain, and the cursor of the watcher.
-- New tables only: locks nothing.

create table chain (
  -- Our own key (bsc, sandbox), never the chain id.
  key text primary key,
  chain_id bigint not null,
  factory bytea not null,
  token bytea not null,
  treasury bytea not null,
  -- The last block taken into account, and the last one known to be final.
  number bigint,
  hash bytea,
  final_number bigint,
  final_hash bytea,
  -- Counts the rebuilds of a lost sandbox chain.
  generation integer not null default 1,
  -- The watcher that may move the cursor: a higher fence outdates every earlier one.
  fence bigint not null default 0,
  lease_until timestamptz,
  -- Set when final history changed: nothing is credited until a person looked.
  halted text
);

create table chain_block (
  chain text not null,
  number bigint not null,
  hash bytea not null,
  parent_hash bytea not null,
  primary key (chain, number)
);

create table deposit_address (
  chain text not null,
  address bytea not null,
  merchant_id uuid not null,
  payment_id uuid not null,
  attempt_id uuid not null,
  -- Base units (10^-18): asked for, and received in final transfers.
  asked numeric(78, 0) not null,
  received numeric(78, 0) not null default 0,
  -- Base units that lie there now, as booked.
  held numeric(78, 0) not null default 0,
  created_at timestamptz not null,
  primary key (chain, address),
  constraint deposit_address_payment unique (merchant_id, payment_id, chain),
  constraint deposit_address_units check (received >= 0 and held >= 0 and held <= received)
);

-- A transfer of the token to one of our addresses, as one block shows it.
create table chain_transfer (
  chain text not null,
  block_hash bytea not null,
  log_index integer not null,
  block_number bigint not null,
  block_at timestamptz not null,
  tx_hash bytea not null,
  -- Which transfer of its transaction it is, counted over the token's logs of that transaction.
  ordinal integer not null,
  address bytea not null,
  sender bytea not null,
  value numeric(78, 0) not null constraint chain_transfer_value check (value > 0),
  state text not null constraint chain_transfer_state check (state in ('SEEN', 'FINAL', 'ORPHANED')),
  -- How often this block came into the chain: it can leave and come back.
  occurrence integer not null default 1,
  log json not null,
  primary key (chain, block_hash, log_index)
);
create index chain_transfer_by_address on chain_transfer (chain, address);
create index chain_transfer_open on chain_transfer (chain, block_number) where state = 'SEEN';
-- A transfer becomes final once, whatever blocks it was in before.
create unique index chain_transfer_final on chain_transfer (chain, tx_hash, ordinal) where state = 'FINAL';

-- Coins where they do not belong: final transfers of other tokens to our addresses, as their logs claim (a fake token can
-- claim anything). One row for each address and token, however many there are. A person decides.
create table stray (
  chain text not null,
  address bytea not null,
  token bytea not null,
  transfers bigint not null,
  claimed numeric(78, 0) not null,
  first_tx bytea not null,
  found_at timestamptz not null,
  last_block bigint not null,
  primary key (chain, address, token)
);
