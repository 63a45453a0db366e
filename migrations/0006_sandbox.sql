-- The sandbox's own inbox: webhooks that a merchant without a server sent to us. New table only: locks nothing.

create table sandbox_inbox (
  id uuid primary key,
  received_at timestamptz not null,
  headers json not null,
  body bytea not null,
  verified boolean not null
);
