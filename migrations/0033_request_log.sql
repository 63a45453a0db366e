-- The last calls of each merchant, without bodies. New tables only: locks nothing. Many calls share a row, so that a call
-- costs next to nothing; no row carries a foreign key, which would cost a look-up and a lock.

-- How many calls of the merchant were ever written: the number of the newest. Updated in place.
create table request_count (
  merchant_id uuid primary key,
  written bigint not null constraint request_count_written check (written > 0)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Calls that one process wrote together. What is older than the last calls is deleted by the statement that writes new ones.
create table request_chunk (
  merchant_id uuid not null,
  -- The number of its last call. The others have the numbers before it.
  last_number bigint not null,
  calls integer not null constraint request_chunk_calls check (calls between 1 and 10000),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The keys that called; a line has the place of its key.
  key_ids uuid[] not null,
  -- Milliseconds since 1970 that each line counts from.
  base_ms bigint not null,
  -- A line for each call, its fields with tabs between them. src/requests/lines.ts writes them.
  lines text not null,
  primary key (merchant_id, last_number)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000
);
-- Not compressed: that would cost more than everything else about a call.
alter table request_chunk alter column lines set storage external;
