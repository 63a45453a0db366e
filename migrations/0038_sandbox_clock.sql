-- The clock of a sandbox's merchant: what is still ahead of it comes closer, and the present does not move. New tables, and new
-- columns with a constant default, which rewrite no row.

-- One request to bring closer what is ahead. A merchant's requests are carried out one after another.
create table clock_advance (
  merchant_id uuid not null references merchant,
  id uuid not null,
  idempotency_key text,
  fingerprint bytea not null,
  -- The span as it was sent, such as P2D, and in milliseconds.
  advance text not null,
  span_ms bigint not null constraint clock_advance_span check (span_ms > 0),
  status text not null constraint clock_advance_status check (status in ('ADVANCING', 'DONE')),
  -- How much of it was moved, in how many steps.
  moved_ms bigint not null default 0,
  steps integer not null default 0,
  -- What was still due when the wait for it was over: counts by kind of work.
  stuck json,
  -- For the runner of durable work, the merchant is what a connection is otherwise. Absent: nothing is left to do.
  connection text not null,
  due_at timestamptz,
  takes integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, id),
  constraint clock_advance_idempotency unique (merchant_id, idempotency_key),
  constraint clock_advance_moved check (moved_ms between 0 and span_ms),
  constraint clock_advance_ended check ((ended_at is not null) = (status = 'DONE'))
) with (fillfactor = 50);
create index clock_advance_turn on clock_advance (connection, due_at) where due_at is not null;
create index clock_advance_open on clock_advance (merchant_id, id) where status = 'ADVANCING';

-- What was moved, and when. The sum of all steps after an instant says how much older than its own date a record of then is.
create table clock_step (
  merchant_id uuid not null,
  number integer not null,
  advance_id uuid not null,
  at timestamptz not null,
  by_ms bigint not null constraint clock_step_by check (by_ms > 0),
  -- Of this step and all steps of the merchant before it.
  total_ms bigint not null,
  -- Simulated providers that have moved their side, and those that did not answer yet.
  told text[] not null default '{}',
  behind text[] not null default '{}',
  is_told boolean not null default false,
  primary key (merchant_id, number)
) with (fillfactor = 50);
create index clock_step_by_time on clock_step (merchant_id, at, number);
create index clock_step_untold on clock_step (merchant_id, number) where not is_told;

-- How far the merchant's dates were moved in all, in milliseconds. Zero for every merchant that has no such clock.
create function moved_ms(of_merchant uuid) returns bigint
language sql stable
as $$
  select coalesce((select total_ms from clock_step where merchant_id = of_merchant order by at desc, number desc limit 1), 0)
$$;

-- How far they were moved since this instant.
create function moved_ms_since(of_merchant uuid, since timestamptz) returns bigint
language sql stable
as $$
  select moved_ms(of_merchant) - coalesce(
    (select total_ms from clock_step where merchant_id = of_merchant and at <= since order by at desc, number desc limit 1), 0)
$$;

-- Where a step of `by_ms` at the instant `at` puts a date after it: earlier by the step. What the step passes comes to the instant
-- of the step, at most some tenths of a second after it, in the order of the old dates.
create function brought_closer(ahead timestamptz, at timestamptz, by_ms bigint) returns timestamptz
language sql stable
as $$
  select greatest(
    ahead - by_ms * interval '1 millisecond',
    at + (least((extract(epoch from ahead - at) * 1000)::bigint, by_ms) / 1000000) * interval '1 millisecond')
$$;

-- A claim writes the end of its lease into both columns: where they are equal, a worker has the row, and `due_at` is no date of the
-- merchant's.
alter table refund_due add column lease_until timestamptz not null default '-infinity';
alter table withdrawal_due add column lease_until timestamptz not null default '-infinity';
alter table attempt_closing add column lease_until timestamptz not null default '-infinity';
alter table attempt_check add column lease_until timestamptz not null default '-infinity';
alter table authorisation_order add column lease_until timestamptz not null default '-infinity';
alter table reconciliation add column lease_until timestamptz not null default '-infinity';

-- A merchant's open releases. Beside the traffic.
-- step outside a transaction
create index concurrently release_of_merchant on release (merchant_id, release_at) where released_at is null;
