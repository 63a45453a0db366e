-- The operator's console lists what until now only commands listed, whole: by pages, each from an index. And what one person of the operator
-- has requested and another one decides.

create table operator_proposal (
  id uuid primary key,
  kind text not null constraint operator_proposal_kind check (kind in ('suspense.credit', 'suspense.return')),
  -- What it is about, as the audit log names it: `unmatched:id`.
  subject text not null,
  arguments json not null,
  reason text not null,
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  created_at timestamptz not null,
  status text not null default 'OPEN' constraint operator_proposal_status check (
    status in ('OPEN', 'APPROVED', 'REFUSED')
  ),
  decided_kind text,
  decided_id text,
  decided_name text,
  decided_at timestamptz,
  -- Nobody decides about their own.
  constraint operator_proposal_two_people check (status <> 'APPROVED' or (by_kind, by_id) <> (decided_kind, decided_id)),
  constraint operator_proposal_decided check (
    (status = 'OPEN') = (decided_at is null) and (decided_at is null) = (decided_id is null)
    and (decided_id is null) = (decided_kind is null) and (decided_id is null) = (decided_name is null)
  )
);
-- One at a time about one thing.
create unique index operator_proposal_open on operator_proposal (subject) where status = 'OPEN';
create index operator_proposal_waiting on operator_proposal (id) where status = 'OPEN';

-- Merchants by the first letters of their name.
-- step outside a transaction
create index concurrently merchant_by_name on merchant ((lower(name) collate "C"), id);

-- Money in suspense that waits for a person, in the order in which it was recorded.
-- step outside a transaction
create index concurrently unmatched_waiting on unmatched (id) where resolved_at is null and outcome = 'paid';

-- Signals that wait for a person.
-- step outside a transaction
create index concurrently inbox_parked on inbox (id) where parked;

-- Addresses whose last sweep failed.
-- step outside a transaction
create index concurrently sweep_failed on sweep (chain, address) where fails > 0;

-- The figures of one day of all merchants: today's load.
-- step outside a transaction
create index concurrently insight_day_by_day on insight_day (day, figure);
