-- When the last backup was made, and when somebody last tried to restore one. By the database's clock.
create table backup_mark (
  kind text primary key constraint backup_mark_kind check (kind in ('BACKUP', 'DRILL')),
  at timestamptz not null,
  -- The newest batch then; of a drill, the newest one that was restored.
  batch bigint not null,
  note text constraint backup_mark_note check (length(note) <= 500)
);
