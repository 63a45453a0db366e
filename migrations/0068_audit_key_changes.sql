-- A key that has made no batch can be replaced, when it was lost before it was used. Then two rows name the same first batch, and the
-- later change counts. A start of the release before fails between this migration and its own end: nothing is released yet.
alter table audit_key
  -- The number of the change among those before the same batch, from 1.
  add column change integer not null default 1,
  add constraint audit_key_change check (change > 0) not valid;

-- step
alter table audit_key validate constraint audit_key_change;

-- step outside a transaction
create unique index concurrently audit_key_changes on audit_key (first_batch, change);

-- step
alter table audit_key drop constraint audit_key_pkey, add constraint audit_key_pkey primary key using index audit_key_changes;
