-- Own transfers announce an event, and every record in an event has a version. New columns with a constant default, which
-- rewrite no row. The list of event types is replaced by a longer one: it is checked against the old events in a step that
-- locks out neither readers nor writers.

alter table own_transfer
  -- Whether its event was written with it. Transfers of earlier releases have none.
  add column is_notified boolean not null default false;

alter table wallet
  -- Grows by one with each change of the wallet itself; balances change without it.
  add column version integer not null default 1;

-- step
alter table event add constraint event_type_listed check (
  type in (
    'payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed',
    'payment.canceled', 'payment.underpaid', 'payment.received_after_close',
    'refund.created', 'refund.completed', 'refund.failed',
    'dispute.opened', 'dispute.won', 'dispute.lost',
    'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed',
    'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned',
    'wallet.created', 'transfer.completed'
  )
) not valid;

-- step
alter table event validate constraint event_type_listed;

-- step
alter table event drop constraint event_type;
alter table event rename constraint event_type_listed to event_type;
