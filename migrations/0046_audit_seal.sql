-- The audit log is sealed: the hash of a batch covers rows of the log, so that none can be removed or changed unseen. New tables; a
-- trigger that waits for the transactions that write the log now; and the existing rows, read once without a lock.

-- Which batch covers an entry of the audit log. Append-only, like the log.
create table audit_seal (
  -- Of the entry.
  id uuid primary key,
  batch bigint not null,
  -- Its place in the batch's hash, from 1.
  position integer not null,
  -- SHA-256 of all columns of the entry (src/ledger/chain.ts).
  digest bytea not null constraint audit_seal_digest check (length(digest) = 32),
  constraint audit_seal_place unique (batch, position)
);
create trigger audit_seal_append_only before update or delete on audit_seal for each row execute function refuse_change();

-- The entries that no batch covers yet. Written in the transaction of the entry and deleted in the one of its seal, so each entry is
-- in one of the two tables at every instant, whatever the clock says and however late a transaction commits.
create table audit_unsealed (
  id uuid primary key
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create function note_unsealed() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (id) select id from written;
  return null;
end $$;

-- step
create trigger audit_log_noted after insert on audit_log
  referencing new table as written for each statement execute function note_unsealed();

-- step
insert into audit_unsealed (id)
select id from audit_log where not exists (select from audit_seal where audit_seal.id = audit_log.id)
on conflict do nothing;
