-- What leaves our own wallets on a chain: which nonce belongs to what for ever, and every byte that was signed.
-- New tables only: locks nothing.

-- A wallet whose key the signer holds, and the one process that sends from it.
create table hot_wallet (
  chain text not null,
  address bytea not null,
  -- What its key is for, as the signer calls it.
  purpose text not null constraint hot_wallet_purpose check (purpose in ('hot', 'gas', 'treasury')),
  -- Every nonce below it is bound to a transaction.
  next_nonce bigint not null constraint hot_wallet_nonce check (next_nonce >= 0),
  -- Why nothing is sent from it any more, until a person has looked.
  stopped text,
  -- Why what is queued has to wait: it is short of something, or the signer does not sign.
  waiting text,
  -- What its final transactions cost, in wei.
  gas_wei numeric(78, 0) not null default 0,
  -- A higher fence outdates every earlier one.
  fence bigint not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  primary key (chain, address)
) with (fillfactor = 50);

create table chain_tx (
  id uuid primary key,
  chain text not null,
  purpose text not null constraint chain_tx_purpose check (purpose in ('PAYOUT', 'SWEEP', 'REFILL')),
  -- What it is for: the withdrawal or refund that is paid out.
  subject uuid not null,
  -- The signer binds it to one nonce, so that nothing is signed twice even if this table were lost.
  reference text not null constraint chain_tx_reference unique,
  -- What it does. Never changed: attempts differ in their fees alone.
  target bytea not null,
  value numeric(78, 0) not null constraint chain_tx_value check (value >= 0),
  data bytea not null,
  gas bigint not null constraint chain_tx_gas check (gas > 0),
  -- The token's movement that it makes, in base units, where it is one.
  recipient bytea,
  units numeric(78, 0) constraint chain_tx_units check (units > 0),
  state text not null constraint chain_tx_state check (
    state in ('QUEUED', 'RESERVED', 'SIGNED', 'BROADCAST', 'MINED', 'FINAL', 'FAILED')
  ),
  -- Bound at RESERVED, for ever.
  wallet bytea,
  nonce bigint,
  -- Why a transaction that does nothing shall take its nonce.
  cancel text,
  -- Somebody else's transaction has its nonce for good: a person decides.
  taken boolean not null default false,
  -- The attempt that a block has, and how it ended.
  tx_hash bytea,
  block_number bigint,
  block_hash bytea,
  failure text,
  -- The receipt as the node sent it.
  evidence bytea,
  -- What it cost in whole gwei, and whether the ledger has it.
  gas_gwei bigint,
  gas_booked boolean not null default false,
  -- Whether the ledger's transaction took its units off the place that they left.
  units_booked boolean not null default false,
  created_at timestamptz not null,
  final_at timestamptz,
  constraint chain_tx_nonce unique (chain, wallet, nonce),
  constraint chain_tx_bound check (
    (wallet is null) = (nonce is null)
    and (nonce is not null or state in ('QUEUED', 'FAILED'))
    and (nonce is null or state <> 'QUEUED')
  ),
  constraint chain_tx_movement check ((recipient is null) = (units is null)),
  constraint chain_tx_end check ((final_at is not null) = (state in ('FINAL', 'FAILED')))
) with (fillfactor = 70);
create unique index chain_tx_payout on chain_tx (subject) where purpose = 'PAYOUT';
create index chain_tx_queue on chain_tx (chain, purpose, id) where state = 'QUEUED';
create index chain_tx_open on chain_tx (chain, wallet, nonce) where state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED');
create index chain_tx_gas_open on chain_tx (id) where gas_gwei is not null and not gas_booked;
create index chain_tx_units_open on chain_tx (chain, wallet) where state = 'FINAL' and units is not null and not units_booked;

-- Everything that was signed, written before the first node saw it.
create table chain_tx_attempt (
  tx uuid not null references chain_tx,
  hash bytea not null,
  raw bytea not null,
  max_fee numeric(78, 0) not null,
  tip numeric(78, 0) not null,
  -- It does nothing but take the nonce.
  cancels boolean not null,
  signed_at timestamptz not null,
  primary key (tx, hash),
  constraint chain_tx_attempt_hash unique (hash)
);

-- Base units at our own places on a chain, as booked: moved in the ledger's own transactions alone, together with the
-- account of the place. Deposit addresses have theirs in deposit_address.
create table coin_place (
  chain text not null,
  address bytea not null,
  place text not null constraint coin_place_place check (place in ('treasury', 'hot')),
  units numeric(78, 0) not null default 0,
  primary key (chain, address)
) with (fillfactor = 50);
