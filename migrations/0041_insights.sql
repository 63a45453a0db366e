-- The figures of the dashboard's overview: per merchant, day (UTC), method and currency, counted behind the traffic by a worker. New
-- tables; a trigger that waits for the transactions that write payments now; and an index on a small table, beside the traffic.

-- Derived: what is here can be deleted with the merchant's watermark, and is then counted again.
create table insight_day (
  merchant_id uuid not null,
  day date not null,
  figure text not null constraint insight_day_figure check (
    figure in (
      'CREATED', 'PAID', 'TIME', 'ENDED', 'SUCCEEDED', 'REFUNDED', 'DISPUTED', 'DISPUTE_WON', 'DISPUTE_LOST', 'WITHDRAWN'
    )
  ),
  -- Empty: the figure has none.
  method text not null default '',
  currency text not null default '',
  count bigint not null,
  -- A sum of amounts: it may leave the range of one amount.
  minor numeric not null default 0,
  -- Of TIME: how many took how long, for each bucket in order (src/insights/buckets.ts). One row, so that reading many payments costs no
  -- more than reading few.
  times bigint[],
  primary key (merchant_id, day, figure, method, currency),
  constraint insight_day_times check ((figure = 'TIME') = (times is not null))
) with (fillfactor = 70);

-- How far a merchant's figures are. Whoever counts for the merchant locks the row.
create table insight_watermark (
  merchant_id uuid primary key,
  -- The last event that is counted.
  sequence bigint not null default 0,
  -- Payments that were created before this day are still to be counted. Null: nothing was counted yet.
  created_from date,
  -- There are none before it.
  is_whole boolean not null default false
) with (fillfactor = 50);

-- Creations that are not counted yet. A creation writes no event, and payments become visible in another order than that of their
-- ids: only a row of the same transaction counts each of them exactly once.
create table insight_created (
  merchant_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  currency text not null,
  count bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create function note_created() returns trigger language plpgsql as $$
begin
  insert into insight_created (merchant_id, day, currency, count)
  select merchant_id, (created_at at time zone 'UTC')::date, currency, count(*) from made group by 1, 2, 3;
  return null;
end $$;

-- step
create trigger payment_noted after insert on payment
  referencing new table as made for each statement execute function note_created();

-- The money in suspense of a merchant's own connections.
-- step outside a transaction
create index concurrently unmatched_open_of_connection on unmatched (connection, recorded_at) where resolved_at is null;
