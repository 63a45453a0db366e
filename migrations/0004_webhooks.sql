-- What merchants are told: events, numbered without gaps for each merchant, and their deliveries to webhook URLs.
-- New tables only: locks nothing. Rows are written by the transaction that changes the state they tell of, so none
-- carries a foreign key: each would cost that transaction a look-up and a lock per row.

-- The last number given to a merchant's events. Updated in place, thousands of times.
create table event_counter (
  merchant_id uuid primary key,
  sequence bigint not null constraint event_counter_sequence check (sequence > 0)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table event (
  merchant_id uuid not null,
  sequence bigint not null,
  id uuid not null,
  type text not null constraint event_type check (
    type in (
      'payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed',
      'payment.canceled', 'payment.underpaid', 'payment.received_after_close',
      'refund.created', 'refund.completed', 'refund.failed',
      'dispute.opened', 'dispute.won', 'dispute.lost',
      'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed',
      'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned',
      'wallet.created'
    )
  ),
  mode text not null constraint event_mode check (mode in ('LIVE', 'SANDBOX')),
  resource_id uuid not null,
  -- The exact body of every delivery, first and repeated: its UTF-8 bytes are what is signed.
  body text not null,
  batch bigint not null,
  at timestamptz not null,
  primary key (merchant_id, sequence),
  constraint event_id unique (merchant_id, id)
);
-- Events are appended in the order of batches, so a range of batches is a range of pages.
create index event_by_batch on event using brin (batch);
create trigger event_append_only before update or delete on event for each row execute function refuse_change();

-- The record of one event sent to one URL, kept for good. No index holds a column that changes, so a change of status
-- rewrites no index however long the history grows.
create table delivery (
  merchant_id uuid not null,
  id uuid not null,
  event_sequence bigint not null,
  url text not null,
  -- Scheme, host and port: what is throttled together.
  origin text collate "C" not null,
  status text not null default 'PENDING' constraint delivery_status check (
    status in ('PENDING', 'DELIVERED', 'EXHAUSTED')
  ),
  primary key (merchant_id, id)
) with (fillfactor = 85);
create index delivery_by_event on delivery (merchant_id, event_sequence, id);

-- What is still to be sent: one row for each delivery that is PENDING, gone as soon as it is not. Small and busy.
create table delivery_due (
  merchant_id uuid not null,
  delivery_id uuid not null,
  event_sequence bigint not null,
  origin text collate "C" not null,
  -- The next attempt; while one is under way, the end of its lease: a worker that died loses nothing but time.
  due_at timestamptz not null,
  -- The claim that holds the row; absent while nobody sends.
  lease uuid,
  -- Failed attempts of this round. A delivery that is sent again by hand starts a new round.
  failures integer not null default 0 constraint delivery_due_failures check (failures >= 0),
  batch bigint not null,
  primary key (merchant_id, delivery_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Endpoint by endpoint, then by time: a worker steps from endpoint to endpoint without reading what waits in between.
create index delivery_due_by_endpoint on delivery_due (merchant_id, origin, due_at);
-- What is new since a batch: batches commit in their order, so a reader that remembers the last one misses nothing.
create index delivery_due_new on delivery_due (batch) where lease is null and failures = 0;

-- One try and its answer. The worker that sent it chose the id.
create table delivery_attempt (
  merchant_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  -- The first 4 KiB.
  response_body text,
  error text,
  primary key (merchant_id, delivery_id, id),
  constraint delivery_attempt_answer check ((response_status is null) = (error is not null))
);
