-- The worker's public key, to which credentials that send money out are sealed, and the jobs that operators request of workers. New
-- tables only: locks nothing.

create table worker_public_key (
  id smallint primary key default 1 constraint worker_public_key_single check (id = 1),
  public_key bytea not null constraint worker_public_key_length check (length(public_key) = 32),
  -- Whether the operator set the worker's key, or a sandbox made it for itself.
  origin text not null constraint worker_public_key_origin check (origin in ('OPERATOR', 'SANDBOX')),
  -- Under a key derived from the master key: what was only written to this table is refused.
  mac bytea not null,
  published_at timestamptz not null
);

create table operator_job (
  id uuid primary key,
  kind text not null,
  -- Checked by the schema of the kind.
  arguments json not null,
  requested_by_kind text not null,
  requested_by_id text not null,
  status text not null
    constraint operator_job_status check (status in ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED')),
  -- Its worker ends it at the next step.
  is_cancel_requested boolean not null default false,
  -- How far it is: a sentence by its key, with its values, and how much of how much.
  progress json,
  result json constraint operator_job_result check (octet_length(result::text) <= 262144),
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- The lane of the runner of durable work: its kind.
  connection text not null,
  due_at timestamptz not null,
  -- How often a worker claimed it.
  takes integer not null default 0,
  constraint operator_job_started check (status <> 'QUEUED' or started_at is null),
  constraint operator_job_ended check ((ended_at is null) = (status in ('QUEUED', 'RUNNING')))
) with (fillfactor = 70);
create index operator_job_due on operator_job (connection, due_at) where status in ('QUEUED', 'RUNNING');
create index operator_job_by_kind on operator_job (kind, id);
create index operator_job_ended_at on operator_job (ended_at) where ended_at is not null;
