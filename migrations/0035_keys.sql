-- API keys that keys make: who made each, who holds it, from where it may be used, and when it last was. New columns without a
-- default: they lock the table for a moment. What follows reads the table beside the traffic.

alter table api_key
  -- The key by which it was made. Absent: a command made it.
  add column made_by_key uuid,
  -- The operating-system user and machine of the command. Absent: unknown, or a key made it.
  add column made_by text,
  -- Who holds the key, as the operator said when the first key of its lineage was made; in small letters.
  add column person text,
  -- The key in whose place it was made.
  add column rolled_from uuid,
  -- The networks from which it may be used. Absent: from everywhere.
  add column allowed_cidrs text[],
  -- Roughly: written in the background, at most once a minute.
  add column last_used_at timestamptz,
  -- Of the request that made it, and the hash of that request.
  add column idempotency_key text,
  add column fingerprint bytea,
  add constraint api_key_cidrs check (cardinality(allowed_cidrs) between 1 and 20) not valid;

-- The keys that changed how much the schedule pays: they may not approve what it requests either.
alter table payout_schedule add column changed_by uuid[] not null default '{}';

-- step
alter table api_key validate constraint api_key_cidrs;

-- step outside a transaction
create unique index concurrently api_key_by_idempotency_key on api_key (merchant_id, idempotency_key)
  where idempotency_key is not null;

-- The keys that are in force, however many have ended.
-- step outside a transaction
create index concurrently api_key_in_force on api_key (merchant_id, coalesce(expires_at, 'infinity'::timestamptz))
  where revoked_at is null;
