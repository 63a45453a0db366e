-- What a chain did with our own coins: from place to place, to us without a reason, and out of nowhere we know.
-- New tables, and one index that is small because most addresses hold nothing.

-- A transfer of the token from or to the treasury or a wallet that pays out, as a proven block shows it. Rows of blocks
-- that left the chain are deleted; payments to deposit addresses are in chain_transfer.
create table coin_move (
  id uuid primary key,
  chain text not null,
  block_hash bytea not null,
  log_index integer not null,
  block_number bigint not null,
  block_at timestamptz not null,
  tx_hash bytea not null,
  sender bytea not null,
  recipient bytea not null,
  value numeric(78, 0) not null constraint coin_move_value check (value > 0),
  state text not null constraint coin_move_state check (state in ('SEEN', 'FINAL')),
  -- The log as the node sent it, byte for byte what the ledger's transfer was made on.
  log bytea not null,
  -- What the books made of it. SWEPT: deposit address to treasury. MOVED: between treasury and wallet. FOUND: it came, and
  -- nothing here explains it. PAID: a payout of ours, which its own settlement booked. LEFT: it left, and nothing here
  -- explains it.
  booked_as text constraint coin_move_booked_as check (booked_as in ('SWEPT', 'MOVED', 'FOUND', 'PAID', 'LEFT')),
  minor bigint constraint coin_move_minor check (minor >= 0),
  booked_at timestamptz,
  constraint coin_move_once unique (chain, block_hash, log_index),
  constraint coin_move_booked check (
    (booked_as is null) = (booked_at is null) and (booked_as is null) = (minor is null)
    and (booked_as is null or state = 'FINAL')
  )
);
create index coin_move_open on coin_move (chain, block_number) where state = 'SEEN';
create index coin_move_due on coin_move (id) where state = 'FINAL' and booked_as is null;
create index coin_move_by_sender on coin_move (chain, sender);
create index coin_move_strange on coin_move (chain, id) where booked_as in ('FOUND', 'LEFT');

-- Whose found coins are: one person says so, another agrees.
create table coin_claim (
  move uuid primary key references coin_move,
  merchant_id uuid not null,
  note text,
  proposed_by text not null,
  proposed_at timestamptz not null,
  wallet_id uuid,
  confirmed_by text,
  confirmed_at timestamptz,
  constraint coin_claim_people check (confirmed_by is null or confirmed_by <> proposed_by),
  constraint coin_claim_whole check (
    (confirmed_by is null) = (confirmed_at is null) and (confirmed_by is null) = (wallet_id is null)
  )
);

-- Deposit addresses on their way to the treasury, or waiting because their last sweep failed. Gone when they are empty.
create table sweep (
  chain text not null,
  address bytea not null,
  -- The transaction that is under way; absent while the address waits.
  tx uuid references chain_tx,
  fails integer not null default 0,
  reason text,
  due_at timestamptz,
  primary key (chain, address)
);
create index sweep_tx on sweep (tx) where tx is not null;

-- Native coin that came to a wallet of ours and pays for gas: as much as its balance and its costs say.
create table gas_fill (
  id uuid primary key,
  chain text not null,
  wallet bytea not null,
  wei numeric(78, 0) not null constraint gas_fill_wei check (wei > 0),
  -- The whole gwei by which the wallet's sum grew.
  gwei bigint not null constraint gas_fill_gwei check (gwei >= 0),
  -- What the node said, and when.
  evidence bytea not null,
  at timestamptz not null
);
create index gas_fill_by_wallet on gas_fill (chain, wallet);

-- A refill that was asked for. The signer's own are transactions; live the operator signs, and it is met by what arrives.
create table refill (
  id uuid primary key,
  chain text not null,
  units numeric(78, 0) not null constraint refill_units check (units > 0),
  tx uuid references chain_tx,
  -- The movement that met it.
  move uuid references coin_move,
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index refill_open on refill (chain) where ended_at is null;

-- What a person rescues: other tokens and native coin at our addresses here, anything at them on another network.
create table rescue (
  id uuid primary key,
  chain text not null,
  chain_id bigint not null,
  address bytea not null,
  -- Zero stands for the native coin.
  token bytea not null,
  -- What lay there when it was asked for, in base units.
  units numeric(78, 0) not null,
  tx uuid not null references chain_tx,
  asked_by text not null,
  created_at timestamptz not null
);
create index rescue_by_address on rescue (chain, address);

create index deposit_address_held on deposit_address (chain) where held > 0;
