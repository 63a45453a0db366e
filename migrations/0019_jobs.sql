-- One runner for durable work: each row says at which connection its provider is asked, so that a provider that hangs holds back
-- nobody else's, and counts its takes, so that a worker that stood still beyond its lease is known by its number.
-- New columns with constant defaults: nothing is rewritten. Rows of before have no connection and are taken together.

alter table refund_due add column connection text not null default '';
alter table withdrawal_due add column connection text not null default '';
alter table attempt_closing add column connection text not null default '';
alter table attempt_check
  add column connection text not null default '',
  add column takes integer not null default 0;
alter table authorisation_order
  add column connection text not null default '',
  -- Of one order: another one of the same attempt, after a refusal, has another.
  add column id uuid;
alter table inbox add column takes integer not null default 0;
alter table reconciliation add column takes integer not null default 0;

-- Due rows are found by connection, then by time. Beside the traffic.

-- step outside a transaction
create index concurrently refund_due_turn on refund_due (connection, due_at);

-- step outside a transaction
create index concurrently withdrawal_due_turn on withdrawal_due (connection, due_at);

-- step outside a transaction
create index concurrently attempt_closing_turn on attempt_closing (connection, due_at);

-- step outside a transaction
create index concurrently attempt_check_turn on attempt_check (connection, due_at);

-- step outside a transaction
create index concurrently authorisation_order_turn on authorisation_order (connection, due_at) where ended_at is null;

-- The same by time alone is asked for of refunds only, by people who list them.
-- step outside a transaction
drop index concurrently if exists withdrawal_due_at;

-- step outside a transaction
drop index concurrently if exists attempt_closing_due;

-- step outside a transaction
drop index concurrently if exists attempt_check_due;

-- step outside a transaction
drop index concurrently if exists authorisation_order_due;
