-- A restore to an earlier moment begins a new epoch of the books: what was lost stays visible, and numbers are not used twice. New tables,
-- and a column with a constant default, which rewrites no row.

-- Append-only. The batch after `last_batch` opened the epoch; an entry of the audit log, which the chain seals, says the same.
create table epoch (
  number integer primary key constraint epoch_number check (number > 0),
  -- What `service.restored` names.
  id uuid not null,
  -- The newest batch that was restored, with its hash and its instant.
  last_batch bigint not null constraint epoch_last_batch check (last_batch >= 0),
  last_hash bytea not null constraint epoch_last_hash check (length(last_hash) = 32),
  last_at timestamptz not null,
  -- How far each merchant's event numbers jumped.
  event_jump bigint not null constraint epoch_event_jump check (event_jump between 1 and 1000000000),
  at timestamptz not null
);
create trigger epoch_append_only before update or delete on epoch for each row execute function refuse_change();

-- The event numbers of a merchant that may have been lost: those between the two were never given again. Append-only.
create table event_gap (
  merchant_id uuid not null,
  epoch integer not null,
  -- The last number in the restored database; zero when there was none.
  last_number bigint not null constraint event_gap_last check (last_number >= 0),
  first_number bigint not null,
  primary key (merchant_id, epoch),
  constraint event_gap_span check (first_number > last_number)
);
create trigger event_gap_append_only before update or delete on event_gap for each row execute function refuse_change();

-- How far the repair after a restore has come.
create table restore (
  epoch integer primary key,
  -- The last merchant whose event numbers jumped, and when the last of all did.
  jumped_to uuid,
  jumped_at timestamptz,
  -- The same for `service.restored`.
  told_to uuid,
  told_at timestamptz,
  -- Since then money leaves again.
  opened_at timestamptz
);

-- What a person has looked through after a restore, and says is right.
create table restore_review (
  epoch integer not null,
  subject text not null constraint restore_review_subject check (
    subject in ('KEYS', 'ROLES', 'LIMITS', 'DESTINATIONS', 'MONEY_OUT', 'MONEY_IN')
  ),
  at timestamptz not null,
  reviewed_by text not null,
  note text constraint restore_review_note check (length(note) <= 500),
  primary key (epoch, subject)
);

-- step
alter table head
  -- Grows with each restore. A process that knows a newer one does not use these books.
  add column epoch integer not null default 0;

-- step
alter table money_freeze add constraint money_freeze_kind_listed check (kind in ('FREEZE', 'SUSPENSION', 'RESTORE')) not valid;
-- RESTORE keeps everything in, until ./vintem restored --open.
alter table money_freeze drop constraint money_freeze_kind;
alter table money_freeze rename constraint money_freeze_kind_listed to money_freeze_kind;
alter table money_freeze drop constraint money_freeze_suspension;
alter table money_freeze add constraint money_freeze_suspension check (
  kind = 'FREEZE' or (kind = 'SUSPENSION') = (merchant_id is not null)) not valid;

-- step
alter table money_freeze validate constraint money_freeze_kind;
alter table money_freeze validate constraint money_freeze_suspension;

-- step
alter table event add constraint event_type_listed check (
  type in (
    'payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed',
    'payment.canceled', 'payment.underpaid', 'payment.received_after_close',
    'refund.created', 'refund.completed', 'refund.failed',
    'dispute.opened', 'dispute.won', 'dispute.lost',
    'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed',
    'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned',
    'wallet.created', 'transfer.completed', 'transfer_grant.created', 'transfer_grant.revoked',
    'share.credited', 'share.returned',
    'webhook_endpoint.disabled', 'webhook_endpoint.ping', 'service.restored'
  )
) not valid;

-- step
alter table event validate constraint event_type_listed;

-- step
alter table event drop constraint event_type;
alter table event rename constraint event_type_listed to event_type;
