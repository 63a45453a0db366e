-- Euro leaves by bank transfer: payouts that wait for a file, and the files of payments (pain.001) as they were offered.

alter table withdrawal
  drop constraint withdrawal_type,
  add constraint withdrawal_type check (type in ('PIX', 'CRYPTO', 'SEPA')) not valid;

-- step
alter table withdrawal validate constraint withdrawal_type;

-- step
-- One file of payments. Its bytes are stored before anybody is offered them, and never change.
create table sepa_batch (
  id uuid primary key,
  connection text not null,
  -- MsgId and PmtInfId of the file: what the bank's report (pain.002) names.
  message_id text not null constraint sepa_batch_message unique,
  bytes bytea not null,
  payouts integer not null,
  sum_minor bigint not null,
  made_by text not null,
  created_at timestamptz not null,
  taken_by text,
  taken_at timestamptz,
  constraint sepa_batch_taken check ((taken_by is null) = (taken_at is null))
);
create index sepa_batch_by_time on sepa_batch (created_at desc, id);
create index sepa_batch_untaken on sepa_batch (connection, created_at, id) where taken_at is null;

-- One payout. `reference` is ours, the EndToEndId of the file and of the statement.
create table sepa_payout (
  reference text primary key constraint sepa_payout_reference check (reference ~ '^[A-Za-z0-9]{1,35}$'),
  connection text not null,
  payout_id uuid not null,
  merchant_id uuid not null,
  amount_minor bigint not null constraint sepa_payout_amount check (amount_minor > 0),
  iban text not null,
  beneficiary text not null,
  note text,
  -- WAITING: in no file. BATCHED: in one, and its end is not known. DONE: the statement has it. REFUSED: the bank's report says so.
  state text not null constraint sepa_payout_state check (state in ('WAITING', 'BATCHED', 'DONE', 'REFUSED')),
  batch_id uuid,
  reason text,
  returned_minor bigint not null default 0,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint sepa_payout_batched check ((batch_id is null) = (state = 'WAITING')),
  constraint sepa_payout_returned check (returned_minor between 0 and amount_minor)
);
create index sepa_payout_waiting on sepa_payout (connection, reference) where state = 'WAITING';
create index sepa_payout_by_change on sepa_payout (connection, changed_at, reference);
create index sepa_payout_by_batch on sepa_payout (batch_id, reference);
