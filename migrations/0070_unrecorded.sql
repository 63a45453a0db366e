-- After a restore: money that a provider says left by a reference of ours, and that no withdrawal or refund of the books is. Two people
-- decide whose it was.
create table unrecorded (
  id uuid primary key,
  mode text not null constraint unrecorded_mode check (mode in ('LIVE', 'SANDBOX')),
  kind text not null constraint unrecorded_kind check (kind in ('WITHDRAWAL', 'REFUND')),
  -- The connection that sent it, and the one whose account it left.
  connection text not null,
  account text not null,
  -- Ours: the idempotency key at the provider.
  reference text not null,
  -- The provider's own name of it.
  provider_ref text,
  -- Of coins: the chain whose hot wallet they left, and the movement that the chain showed.
  chain text,
  move uuid constraint unrecorded_move unique,
  -- What left beyond what the books have under the same reference.
  amount_minor bigint not null constraint unrecorded_amount check (amount_minor > 0),
  known_minor bigint not null constraint unrecorded_known check (known_minor >= 0),
  currency text not null,
  -- Of a refund of a payment that the books have.
  merchant_id uuid,
  payment_id uuid,
  -- SHA-256 of the provider's report.
  report_hash bytea not null constraint unrecorded_report_hash check (length(report_hash) = 32),
  -- By the provider's clock, where it says so.
  happened_at timestamptz,
  recorded_at timestamptz not null,
  resolved_at timestamptz,
  -- CHARGED: to a merchant's wallet. WRITTEN_OFF: the operator bears it. RETURNED: the provider has it again.
  resolution text constraint unrecorded_resolution check (resolution in ('CHARGED', 'WRITTEN_OFF', 'RETURNED')),
  wallet_id uuid,
  note text constraint unrecorded_note check (length(note) <= 500),
  constraint unrecorded_of_chain check ((chain is null) = (move is null)),
  constraint unrecorded_of_payment check ((merchant_id is null) = (payment_id is null)),
  constraint unrecorded_decided check (
    (resolved_at is null) = (resolution is null) and coalesce(resolution = 'CHARGED', false) = (wallet_id is not null)
    and (resolved_at is not null or note is null)
  )
);
-- It is booked once.
create unique index unrecorded_once on unrecorded (connection, kind, reference);
create index unrecorded_waiting on unrecorded (id) where resolved_at is null;

-- A comparison of what providers say left with the books. Money leaves again only after one that missed nothing, or whose misses a
-- person answers for. Append-only.
create table money_out_comparison (
  id uuid primary key,
  epoch integer not null,
  at timestamptz not null,
  compared_by text not null,
  -- What was requested at providers since.
  since timestamptz not null,
  -- Lists that were read to their end.
  complete integer not null constraint money_out_comparison_complete check (complete >= 0),
  -- Those that were not, and why: [{"kind", "connection", "why"}].
  incomplete json not null
);
create index money_out_comparison_last on money_out_comparison (epoch, at);
create trigger money_out_comparison_append_only before update or delete on money_out_comparison
  for each row execute function refuse_change();

-- step
alter table operator_proposal add constraint operator_proposal_kind_listed check (
  kind in (
    'suspense.credit', 'suspense.return', 'end.withdrawal', 'end.refund',
    'unrecorded.charge', 'unrecorded.write-off', 'unrecorded.return'
  )
) not valid;
alter table operator_proposal drop constraint operator_proposal_kind;
alter table operator_proposal rename constraint operator_proposal_kind_listed to operator_proposal_kind;

-- step
alter table operator_proposal validate constraint operator_proposal_kind;

-- step outside a transaction
create index concurrently operator_proposal_by_subject on operator_proposal (subject);
