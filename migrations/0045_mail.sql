-- Letters that wait to be sent by mail. A new table only: locks nothing.

create table letter (
  id uuid primary key,
  -- Sealed: recipient, kind and values. A letter may hold a one-time link, and a recipient is personal data.
  sealed bytea not null,
  created_at timestamptz not null,
  -- The lane of the runner of durable work: there is one mail server.
  connection text not null default 'smtp',
  due_at timestamptz not null,
  -- How often a worker claimed it.
  takes integer not null default 0
) with (fillfactor = 70);
create index letter_due on letter (connection, due_at);
