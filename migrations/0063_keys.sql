-- Keys can be changed: which audit key made which batches, which keys are in force, and with which key a digest was made.

-- Which audit key made the batches from `first_batch` on, until the next row. Append-only.
create table audit_key (
  first_batch bigint primary key,
  fingerprint bytea not null constraint audit_key_fingerprint check (length(fingerprint) = 8),
  since timestamptz not null
);
create trigger audit_key_append_only before update or delete on audit_key for each row execute function refuse_change();

-- What the last `./vintem rekey` made the key in force. No row: it never ran.
create table key_in_force (
  purpose text primary key constraint key_in_force_purpose check (purpose in ('MASTER', 'API_KEYS')),
  fingerprint bytea not null constraint key_in_force_fingerprint check (length(fingerprint) = 8),
  since timestamptz not null
);

-- step
alter table head
  -- The fingerprint of the key that makes the next batch. Null: not written down yet.
  add column audit_key bytea;

-- step
alter table api_key
  -- The fingerprint of the key that made the digest. Null: it was made before there was this column.
  add column digest_key bytea;

-- step
alter table recovery_code
  add column digest_key bytea;
