-- Transfers between a platform and its sub-accounts, and the grants by which a platform takes money. New columns with a constant default or
-- none, which rewrite no row, and one new table.

alter table own_transfer
  -- The other merchant: the sub-account of the merchant that asked, and in the sub-account's own row its parent. Absent: between own wallets.
  add column other_merchant_id uuid,
  -- The grant by which it was taken. Absent: the platform gave it.
  add column grant_id uuid,
  -- The row of the sub-account, written beside that of the platform, with the same id.
  add column is_mirror boolean not null default false,
  -- Whether the request named the sub-account's wallet, or left it to the default. Part of what the fingerprint covers.
  add column names_wallet boolean not null default true;
alter table own_transfer add constraint own_transfer_other check (
  other_merchant_id is not null or (grant_id is null and not is_mirror and names_wallet)) not valid;
alter table own_transfer add constraint own_transfer_mirror check (
  not is_mirror or (idempotency_key is null and metadata is null)) not valid;

create table transfer_grant (
  -- The sub-account, which gave it.
  merchant_id uuid not null references merchant,
  id uuid not null,
  -- Its parent, which may take.
  parent_id uuid not null references merchant,
  currency text not null,
  -- The most that may be taken in all. Absent: any amount, until it expires or is revoked.
  max_minor bigint constraint transfer_grant_max check (max_minor > 0),
  taken_minor bigint not null default 0 constraint transfer_grant_taken check (taken_minor >= 0),
  expires_at timestamptz,
  description text,
  -- The key of the sub-account that gave it.
  given_by uuid not null,
  idempotency_key text,
  -- SHA-256 of the canonical request (RFC 8785) without the key.
  fingerprint bytea not null,
  version integer not null default 1,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (merchant_id, id),
  constraint transfer_grant_idempotency unique (merchant_id, idempotency_key),
  constraint transfer_grant_within check (taken_minor <= max_minor),
  constraint transfer_grant_end check (max_minor is not null or expires_at is not null)
);
create index transfer_grant_by_parent on transfer_grant (parent_id, id);
-- The newest of each currency is the one that may stand.
create index transfer_grant_standing on transfer_grant (merchant_id, currency, id) where revoked_at is null;

-- step outside a transaction
create index concurrently own_transfer_by_grant on own_transfer (merchant_id, grant_id) where grant_id is not null;

-- step
alter table own_transfer validate constraint own_transfer_other;

-- step
alter table own_transfer validate constraint own_transfer_mirror;

-- step
alter table event add constraint event_type_listed check (
  type in (
    'payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed',
    'payment.canceled', 'payment.underpaid', 'payment.received_after_close',
    'refund.created', 'refund.completed', 'refund.failed',
    'dispute.opened', 'dispute.won', 'dispute.lost',
    'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed',
    'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned',
    'wallet.created', 'transfer.completed', 'transfer_grant.created', 'transfer_grant.revoked',
    'share.credited', 'share.returned',
    'webhook_endpoint.disabled', 'webhook_endpoint.ping'
  )
) not valid;

-- step
alter table event validate constraint event_type_listed;

-- step
alter table event drop constraint event_type;
alter table event rename constraint event_type_listed to event_type;
