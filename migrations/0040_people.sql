-- The people who use the dashboard: users, what they may do for which merchant, how they sign in, and their sessions. New tables, and
-- new columns of the audit log without a default: they lock it for a moment. What follows reads the log beside the traffic.

create table app_user (
  id uuid primary key,
  -- In small letters.
  email text not null constraint app_user_email unique
    constraint app_user_email_form check (email = lower(email) and length(email) between 3 and 254),
  name text not null constraint app_user_name check (length(name) between 1 and 200),
  language text not null,
  time_zone text not null,
  -- May use the operator's console.
  is_operator boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index app_user_operator on app_user (id) where is_operator;

create table membership (
  merchant_id uuid not null references merchant,
  user_id uuid not null references app_user,
  role text not null
    constraint membership_role check (role in ('OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, user_id)
);
create index membership_by_user on membership (user_id, merchant_id);

create table user_password (
  user_id uuid primary key references app_user,
  -- Argon2id in the PHC format, with its parameters and salt.
  hash text not null,
  changed_at timestamptz not null
);

create table passkey (
  user_id uuid not null references app_user,
  id uuid not null,
  credential_id bytea not null constraint passkey_credential unique,
  -- A COSE key.
  public_key bytea not null,
  -- How often the authenticator says that it was used. Zero: it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, id)
);

create table user_totp (
  user_id uuid primary key references app_user,
  -- Sealed under a key that the process is given.
  secret bytea not null,
  created_at timestamptz not null,
  -- Absent: the user has not shown yet that the app has the secret.
  confirmed_at timestamptz,
  -- The step of the last accepted code: it and earlier ones are not accepted again.
  last_step bigint not null default 0
);

create table recovery_code (
  user_id uuid not null references app_user,
  digest bytea not null,
  used_at timestamptz,
  primary key (user_id, digest)
);

create table user_session (
  id uuid primary key,
  user_id uuid not null references app_user,
  -- SHA-256 of the token.
  digest bytea not null constraint user_session_digest unique,
  created_at timestamptz not null,
  -- When the user proved who they are: password, passkey or link.
  signed_in_at timestamptz not null,
  -- Roughly: written at most once a minute.
  seen_at timestamptz not null,
  -- The absolute end, whatever is done in it.
  ends_at timestamptz not null,
  address text not null,
  user_agent text not null constraint user_session_user_agent check (length(user_agent) <= 200),
  -- False: it can only give the second factor, or end.
  is_complete boolean not null,
  second_factor_at timestamptz,
  revoked_at timestamptz
);
create index user_session_by_user on user_session (user_id, created_at);
create index user_session_by_end on user_session (ends_at);

create table one_time_link (
  id uuid primary key,
  -- SHA-256 of the token.
  digest bytea not null constraint one_time_link_digest unique,
  kind text not null constraint one_time_link_kind check (kind in ('INVITATION', 'RESET', 'SIGN_IN')),
  made_by_kind text not null,
  made_by text not null,
  email text not null,
  -- Of RESET and SIGN_IN.
  user_id uuid references app_user,
  -- Of INVITATION.
  merchant_id uuid references merchant,
  role text,
  loopback_only boolean not null default false,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  constraint one_time_link_target check (
    (kind = 'INVITATION') = (user_id is null) and (kind = 'INVITATION') = (merchant_id is not null)
    and (merchant_id is null) = (role is null))
);
create index one_time_link_by_merchant on one_time_link (merchant_id, id) where used_at is null and revoked_at is null;
create index one_time_link_by_user on one_time_link (user_id) where used_at is null and revoked_at is null;
create index one_time_link_by_end on one_time_link (ends_at);

-- Challenges for passkeys are signed by us, and stored only when they were used: once each.
create table used_challenge (
  digest bytea primary key,
  ends_at timestamptz not null
);
create index used_challenge_by_end on used_challenge (ends_at);

-- How often guesses failed, and when the next is allowed. The key is an HMAC of what was guessed at, or from where.
create table sign_in_failure (
  key bytea primary key,
  failures integer not null,
  next_at timestamptz not null,
  -- Then it is forgotten.
  ends_at timestamptz not null
);
create index sign_in_failure_by_end on sign_in_failure (ends_at);

-- Addresses from which a user signed in: failures from elsewhere do not slow them down.
create table known_address (
  user_id uuid not null references app_user,
  address_key bytea not null,
  last_used_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (user_id, address_key)
);
create index known_address_by_end on known_address (ends_at);

alter table audit_log
  -- From where a user or a key did it, and in which request.
  add column address text,
  add column request_id text,
  drop constraint audit_log_actor,
  -- USER: the user's id.
  add constraint audit_log_actor_kind check (actor_kind in ('OPERATOR', 'API_KEY', 'USER', 'SYSTEM')) not valid;

-- step
alter table audit_log validate constraint audit_log_actor_kind;

-- step outside a transaction
create index concurrently audit_log_by_merchant_action on audit_log (merchant_id, action, id);

-- step outside a transaction
create index concurrently audit_log_by_actor on audit_log (actor_id, id);
