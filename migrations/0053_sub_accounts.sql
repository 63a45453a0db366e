-- Sub-accounts: merchants with a parent. A new table only: locks nothing. `is_frozen` is left as it is, because refunds of a parent's
-- payments take from sub-accounts that may pay nothing out.

create table sub_account (
  merchant_id uuid primary key references merchant,
  -- The merchant that made it. It has none of its own (depth one): checked where one is made, under the parent's lock.
  parent_id uuid not null references merchant,
  state text not null constraint sub_account_state check (state in ('PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED')),
  tax_id text,
  -- The parent's own name of it.
  reference text,
  -- Who suspended it: only the same, or the operator, lets it go on.
  suspended_by text constraint sub_account_suspended_by check (suspended_by in ('PARENT', 'OPERATOR')),
  version integer not null default 1,
  created_at timestamptz not null,
  activated_at timestamptz,
  idempotency_key text,
  fingerprint bytea,
  constraint sub_account_not_itself check (merchant_id <> parent_id),
  constraint sub_account_suspension check ((state = 'SUSPENDED') = (suspended_by is not null)),
  constraint sub_account_key check ((idempotency_key is null) = (fingerprint is null))
);
create unique index sub_account_by_parent on sub_account (parent_id, merchant_id);
create unique index sub_account_by_key on sub_account (parent_id, idempotency_key) where idempotency_key is not null;
