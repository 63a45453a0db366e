-- The operator's console: two people decide also about the end of a large withdrawal or refund, and the health of connections over time.

alter table operator_proposal
  drop constraint operator_proposal_kind,
  add constraint operator_proposal_kind
    check (kind in ('suspense.credit', 'suspense.return', 'end.withdrawal', 'end.refund')) not valid;

-- Why a job failed, by a key that pages have a sentence for, and the values in it. Absent: only the text says it.
alter table operator_job add column failure json;
alter table operator_job
  add constraint operator_job_failure check (octet_length(failure::text) <= 16384) not valid;

-- Calls to the provider of a connection, by hour: of all processes that call it, added up by the database's clock. Bounded: old hours are
-- deleted, and there are few connections.
create table connection_health (
  connection text not null,
  hour timestamptz not null,
  calls bigint not null constraint connection_health_calls check (calls >= 0),
  -- Calls without a usable answer: none came, or it was a fault of the provider's.
  errors bigint not null constraint connection_health_errors check (errors between 0 and calls),
  -- Of all calls, and of the longest one.
  total_ms bigint not null,
  longest_ms bigint not null,
  last_good_at timestamptz,
  last_bad_at timestamptz,
  last_error text,
  primary key (connection, hour)
) with (fillfactor = 70);
create index connection_health_hour on connection_health (hour);

-- step
alter table operator_proposal validate constraint operator_proposal_kind;

-- step
alter table operator_job validate constraint operator_job_failure;

-- Jobs in one state, also of one kind; money in suspense of one connection or currency, that waits or all.
-- step outside a transaction
create index concurrently operator_job_by_state on operator_job (status, id);

-- step outside a transaction
create index concurrently operator_job_by_kind_state on operator_job (kind, status, id);

-- step outside a transaction
create index concurrently unmatched_waiting_connection on unmatched (connection, id)
  where resolved_at is null and outcome = 'paid';

-- step outside a transaction
create index concurrently unmatched_waiting_currency on unmatched (currency, id)
  where resolved_at is null and outcome = 'paid';

-- step outside a transaction
create index concurrently unmatched_by_connection on unmatched (connection, id);

-- step outside a transaction
create index concurrently unmatched_by_currency on unmatched (currency, id);

-- Merchants with real money, and without. Whether there is one with it: then each act of an operator needs a second factor.
-- step outside a transaction
create index concurrently merchant_by_mode on merchant (mode, id);

-- Archived merchants.
-- step outside a transaction
create index concurrently sandbox_archived on sandbox (merchant_id) where archived_at is not null;
