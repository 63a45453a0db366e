-- What payers hold of a span that a restore lost: found in the issuance logs, so known again. New tables, and columns with a constant
-- default or none, which rewrite no row.

-- One attempt that was about to be payable, and that the restored books do not have. Only `name` is set later, when another line has it.
create table lost_issuance (
  merchant_id uuid not null,
  attempt_id uuid not null,
  payment_id uuid not null,
  -- The restore that lost it.
  epoch integer not null,
  method text not null,
  connection text not null,
  amount_minor bigint not null constraint lost_issuance_amount check (amount_minor > 0),
  currency text not null,
  -- The name by which the provider or the payer knows it, where that is not the attempt's id.
  name text constraint lost_issuance_name check (length(name) <= 500),
  issued_at timestamptz not null,
  -- The entry of the audit log that covers the row names this page.
  page_id uuid not null,
  primary key (merchant_id, attempt_id)
);
-- Money in suspense names the attempt alone.
create unique index lost_issuance_by_attempt on lost_issuance (attempt_id);
create index lost_issuance_by_page on lost_issuance (page_id);
create index lost_issuance_by_payment on lost_issuance (merchant_id, payment_id);

-- The end of a lost attempt at its provider, which nobody is to pay any more. A row stays when it has ended.
create table lost_closing (
  merchant_id uuid not null,
  attempt_id uuid not null,
  connection text not null,
  due_at timestamptz not null,
  lease_until timestamptz not null default '-infinity',
  tries integer not null default 0,
  -- CLOSED: nobody can pay it. PAID: somebody had paid it, and the money is in suspense. GIVEN_UP: its provider did not end it.
  outcome text constraint lost_closing_outcome check (outcome in ('CLOSED', 'PAID', 'GIVEN_UP')),
  ended_at timestamptz,
  -- Why the last try did not end it.
  said text constraint lost_closing_said check (length(said) <= 500),
  primary key (merchant_id, attempt_id),
  constraint lost_closing_end check ((outcome is null) = (ended_at is null))
) with (fillfactor = 50);
create index lost_closing_turn on lost_closing (connection, due_at) where ended_at is null;

-- step
alter table unmatched
  -- The attempt whose reference the receipt holds, in our format. Null in older rows.
  add column attempt_id uuid,
  -- A deposit of less than a cent to a lost address: recorded once, and no money yet.
  add constraint unmatched_amount_or_none check (amount_minor >= 0) not valid;
alter table unmatched drop constraint unmatched_amount;
alter table unmatched rename constraint unmatched_amount_or_none to unmatched_amount;

-- step
alter table unmatched validate constraint unmatched_amount;

-- step outside a transaction
create index concurrently unmatched_by_attempt on unmatched (attempt_id) where attempt_id is not null;

-- step
alter table deposit_address
  -- The books lost its payment in a restore: what comes there goes to suspense.
  add column is_lost boolean not null default false;
