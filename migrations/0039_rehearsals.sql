-- Rehearsals: the sandbox tests a merchant's own server with a script. New table only: locks nothing.

create table rehearsal (
  merchant_id uuid not null,
  id uuid not null,
  status text not null
    constraint rehearsal_status check (status in ('RUNNING', 'PASSED', 'FAILED', 'INCOMPLETE', 'CANCELED')),
  url text not null,
  state_url text,
  seed bigint not null,
  -- Its cases in their order, each with its result so far.
  cases json not null,
  created_at timestamptz not null,
  -- It goes on until then at the latest.
  last_at timestamptz not null,
  ended_at timestamptz,
  -- The lane of the runner of durable work: its merchant.
  connection text not null,
  due_at timestamptz not null,
  -- How often a worker claimed it.
  takes integer not null default 0,
  primary key (merchant_id, id),
  constraint rehearsal_ended check ((ended_at is null) = (status = 'RUNNING'))
);
-- One at a time for each merchant.
create unique index rehearsal_running on rehearsal (merchant_id) where status = 'RUNNING';
create index rehearsal_due on rehearsal (connection, due_at) where status = 'RUNNING';
