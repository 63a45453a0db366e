-- Sandboxes beside the first one of an installation: each is a merchant of mode SANDBOX with connections of its own.

create table sandbox (
  merchant_id uuid primary key,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Absent while it is being made: it has no API key yet.
  ready_at timestamptz,
  archived_at timestamptz
);
create unique index sandbox_by_name on sandbox (name) where archived_at is null;

alter table connection
  -- Archived with its sandbox: nothing new goes over it, nor over a shared connection in its place.
  add column archived_at timestamptz,
  -- Until then it is still reconciled, because money may be under way.
  add column polled_until timestamptz;
