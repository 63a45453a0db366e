-- After a restore: what had left in the lost span, and stands in the restored books in an earlier state.

-- One signature of the lost span, as the signer's journal has it. The wallet has it made again, and follows it under its nonce. While a row
-- is here, its transaction gets no other nonce and cannot be canceled.
create table lost_signature (
  chain text not null,
  wallet bytea not null,
  nonce bigint not null,
  -- Whether an empty transaction was signed, which only uses the nonce.
  cancels boolean not null,
  gas bigint not null,
  max_fee numeric(78, 0) not null,
  tip numeric(78, 0) not null,
  -- That of chain_tx, by which the signer bound the nonce.
  reference text not null,
  -- What it moved is recorded as money that left unrecorded: two people decide about it, and the wallet does not follow it.
  is_recorded boolean not null,
  recorded_at timestamptz not null,
  primary key (chain, wallet, nonce, cancels, gas, max_fee, tip)
);
create index lost_signature_by_reference on lost_signature (reference);

-- step
alter table withdrawal
  -- A restore took the withdrawal back, and its provider, or the chain, says that it left: it cannot be canceled.
  add column left_before_restore boolean not null default false;

-- step
alter table refund
  -- The same of a refund: it can be ended only with the provider's statement, and not be rejected.
  add column left_before_restore boolean not null default false;

-- step
alter table sepa_payout
  drop constraint sepa_payout_batched,
  -- A statement may have what no file of ours has: the file of a lost span.
  add constraint sepa_payout_batched
    check (case state when 'WAITING' then batch_id is null when 'BATCHED' then batch_id is not null else true end) not valid;

-- step
alter table sepa_payout validate constraint sepa_payout_batched;
