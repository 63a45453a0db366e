-- Who changed what, and why. New table only: locks nothing. Append-only: the application's role may not change or delete a
-- row (privileges.sql), and the trigger stops the owner too.

create table audit_log (
  id uuid primary key,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null constraint audit_log_actor check (actor_kind in ('OPERATOR', 'API_KEY', 'SYSTEM')),
  -- The operating-system user and machine, the API key's id, or the part of the program.
  actor_id text not null,
  -- What was done, as `room.verb`.
  action text not null,
  -- What it was done to, as `kind:id`.
  subject text not null,
  -- Whose it is. Absent: the operator's own.
  merchant_id uuid,
  before json,
  after json,
  reason text
);
create index audit_log_by_subject on audit_log (subject, id);
create index audit_log_by_merchant on audit_log (merchant_id, id);

create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
