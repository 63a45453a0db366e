-- An operator who is a member of a merchant decides nothing about it alone: limits, destinations, fees and the end of a freeze can be requests
-- too. And which user an account at the command line is, so that the rule holds there.

create table command_account (
  -- As the audit log names it: the operating-system user and the machine.
  account text primary key,
  user_id uuid not null references app_user,
  created_at timestamptz not null
);
create index command_account_by_user on command_account (user_id);

-- step
alter table operator_proposal add constraint operator_proposal_kind_listed check (
  kind in (
    'suspense.credit', 'suspense.return', 'end.withdrawal', 'end.refund',
    'unrecorded.charge', 'unrecorded.write-off', 'unrecorded.return',
    'terms.limit', 'terms.destination-add', 'terms.destination-remove', 'terms.fee', 'freeze.end'
  )
) not valid;
alter table operator_proposal drop constraint operator_proposal_kind;
alter table operator_proposal rename constraint operator_proposal_kind_listed to operator_proposal_kind;

-- step
alter table operator_proposal validate constraint operator_proposal_kind;

-- A member's keys are handed to another member when they leave.
-- step
alter table api_key
  -- Since when its person holds it, if another one held it before. Null: it was never handed on.
  add column handed_at timestamptz;

-- The keys that came of a member's seat or key, at all merchants.
-- step outside a transaction
create index concurrently api_key_by_lineage on api_key (lineage);
