-- Files that an operator hands in by the console wait here for the job that reads them. They come in parts, so that no request is large. New
-- tables and one column without a default: locks nothing for long.

create table operator_upload (
  id uuid primary key,
  name text not null constraint operator_upload_name check (length(name) between 1 and 200),
  size integer not null constraint operator_upload_size check (size between 1 and 16777216),
  -- The user who hands it in, and the name under which records show them.
  user_id uuid not null,
  handed_in_by text not null,
  created_at timestamptz not null,
  -- The job that reads it. Null until one was requested.
  job_id uuid
);
create index operator_upload_by_age on operator_upload (created_at, id);
create index operator_upload_waiting on operator_upload (id) include (size) where job_id is null;

create table operator_upload_part (
  upload_id uuid not null references operator_upload (id) on delete cascade,
  number smallint not null constraint operator_upload_part_number check (number between 0 and 15),
  bytes bytea not null constraint operator_upload_part_bytes check (octet_length(bytes) between 1 and 1048576),
  primary key (upload_id, number)
);

-- What whoever took a file of payments named its taking by: the same taking is answered again when its answer was lost.
alter table sepa_batch add column taken_key uuid;

-- step outside a transaction
create index concurrently sepa_file_refused on sepa_file (created_at desc, connection, sha256) where state = 'REFUSED';
