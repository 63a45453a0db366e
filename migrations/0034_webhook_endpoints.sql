-- Webhook endpoints: URLs that a merchant registers once and that get its events, beside the URLs of payments. New tables, and a
-- column without a default: locks nothing for long. Checks of old rows are steps that lock out neither readers nor writers.

create table webhook_endpoint (
  merchant_id uuid not null,
  id uuid not null,
  url text not null,
  -- Null: all types.
  event_types text[],
  -- Since when `event_types` is what it is.
  event_types_since timestamptz not null,
  description text,
  -- STARTING: enabled by its merchant, while a worker still puts what was held into its order.
  status text not null constraint webhook_endpoint_status check (
    status in ('ENABLED', 'STARTING', 'DISABLED', 'DELETED')
  ),
  disabled_reason text constraint webhook_endpoint_reason check (disabled_reason in ('REQUESTED', 'FAILING', 'GONE')),
  disabled_at timestamptz,
  -- When its attempts began to fail, as it was when the endpoint was disabled for that.
  failing_since timestamptz,
  -- Encrypted, as the merchant's own webhook secret.
  secret bytea not null,
  -- Signs beside the new one until then, by the database's clock.
  secret_previous bytea,
  previous_until timestamptz,
  idempotency_key text,
  fingerprint bytea,
  created_at timestamptz not null,
  deleted_at timestamptz,
  -- Deleted, and nothing is due for it any more.
  is_cleared boolean not null default false,
  -- Grows by one with each change that its merchant can see.
  version integer not null default 1,
  primary key (merchant_id, id),
  constraint webhook_endpoint_disabled check (
    (status = 'DISABLED') = (disabled_at is not null) and (disabled_at is null) = (disabled_reason is null)
  ),
  constraint webhook_endpoint_deleted check ((status = 'DELETED') = (deleted_at is not null)),
  constraint webhook_endpoint_previous check ((secret_previous is null) = (previous_until is null)),
  constraint webhook_endpoint_key check ((idempotency_key is null) = (fingerprint is null))
);
create unique index webhook_endpoint_by_key on webhook_endpoint (merchant_id, idempotency_key)
  where idempotency_key is not null;
-- Those that events go to, and those that a worker has to do something for.
create index webhook_endpoint_live on webhook_endpoint (merchant_id, id) where status <> 'DELETED';
create index webhook_endpoint_starting on webhook_endpoint (merchant_id, id) where status = 'STARTING';
create index webhook_endpoint_to_clear on webhook_endpoint (merchant_id, id) where status = 'DELETED' and not is_cleared;

-- An endpoint whose attempts have done nothing but fail since an instant. Without a row it works, or was never tried.
create table webhook_endpoint_failing (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  since timestamptz not null,
  attempts bigint not null constraint webhook_endpoint_failing_attempts check (attempts > 0),
  -- When it is disabled if nothing succeeds until then. Null: too few attempts to say.
  disable_at timestamptz,
  -- It answered 410.
  is_gone boolean not null,
  primary key (merchant_id, endpoint_id)
) with (fillfactor = 50);
create index webhook_endpoint_failing_long on webhook_endpoint_failing (disable_at) where disable_at is not null;

-- A merchant's order to send events of a span again.
create table webhook_recovery (
  merchant_id uuid not null,
  id uuid not null,
  -- Null: the deliveries to the URLs of payments.
  endpoint_id uuid,
  -- From the event after `after_sequence` to that of `through_sequence`; done up to `reached_sequence`.
  after_sequence bigint not null,
  through_sequence bigint not null,
  reached_sequence bigint not null,
  types text[],
  include_delivered boolean not null,
  status text not null constraint webhook_recovery_status check (status in ('RUNNING', 'DONE', 'CANCELED')),
  -- Deliveries that it made due.
  deliveries bigint not null default 0,
  -- When its next batch may begin.
  due_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, id),
  constraint webhook_recovery_span check (
    0 <= after_sequence and after_sequence <= reached_sequence and reached_sequence <= greatest(through_sequence, after_sequence)
  ),
  constraint webhook_recovery_end check ((status = 'RUNNING') = (ended_at is null))
);
-- One at a time for each endpoint, and one for the URLs of payments.
create unique index webhook_recovery_running on webhook_recovery
  (merchant_id, coalesce(endpoint_id, '00000000-0000-0000-0000-000000000000')) where status = 'RUNNING';
create index webhook_recovery_work on webhook_recovery (merchant_id, id) where status = 'RUNNING';

-- step
-- Null: it goes to the URL of a payment or a withdrawal.
alter table delivery add column endpoint_id uuid;

-- step
-- CANCELED: its endpoint was deleted.
alter table delivery add constraint delivery_status_known check (
  status in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELED')
) not valid;

-- step
alter table delivery validate constraint delivery_status_known;

-- step
alter table delivery drop constraint delivery_status;
alter table delivery rename constraint delivery_status_known to delivery_status;

-- step
alter table event add constraint event_type_listed check (
  type in (
    'payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed',
    'payment.canceled', 'payment.underpaid', 'payment.received_after_close',
    'refund.created', 'refund.completed', 'refund.failed',
    'dispute.opened', 'dispute.won', 'dispute.lost',
    'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed',
    'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned',
    'wallet.created', 'transfer.completed',
    'webhook_endpoint.disabled', 'webhook_endpoint.ping'
  )
) not valid;

-- step
alter table event validate constraint event_type_listed;

-- step
alter table event drop constraint event_type;
alter table event rename constraint event_type_listed to event_type;

-- The deliveries of one endpoint, newest first, and whether an event has one for it.
-- step outside a transaction
create index concurrently delivery_of_endpoint on delivery (merchant_id, endpoint_id, event_sequence, id)
  where endpoint_id is not null;
