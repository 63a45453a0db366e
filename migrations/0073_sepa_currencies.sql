-- An account number at a bank can cover several currencies, each with a chain of statements of its own.

-- `all_currencies`: the file was imported by a program that keeps what is in other currencies than EUR. Earlier ones passed it over.
alter table sepa_statement add column currency text not null default 'EUR';
alter table sepa_file add column all_currencies boolean not null default false;

-- Money in a currency that the books do not have: in no book, until a person says what became of it.
create table sepa_foreign (
  id uuid primary key,
  connection text not null,
  currency text not null constraint sepa_foreign_currency check (currency ~ '^[A-Z]{3}$'),
  reference text not null,
  credit boolean not null,
  amount text not null constraint sepa_foreign_amount check (amount ~ '^[0-9]{1,15}\.[0-9]{2,5}$'),
  booked_on date not null,
  fact json not null,
  file_sha256 bytea not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  reason text,
  -- Not by the bank's name alone: banks have used one for two entries, and no file is refused for money that is in no book.
  constraint sepa_foreign_once unique (connection, currency, reference, credit, amount),
  constraint sepa_foreign_decided check (
    (decided_at is null) = (decided_by is null) and (decided_at is null) = (reason is null)
  )
);
create index sepa_foreign_waiting on sepa_foreign (id) where decided_at is null;

-- step outside a transaction
create unique index concurrently sepa_statement_by_currency on sepa_statement (connection, currency, number);
-- step outside a transaction
create unique index concurrently sepa_statement_by_bank_id on sepa_statement (connection, currency, bank_id);
-- step outside a transaction
create index concurrently sepa_entry_unstated_by_currency on sepa_entry (connection, currency, booked_on, reference, part)
  where statement is null;

-- step
-- Two currencies may have one statement. The index above holds what this held.
alter table sepa_statement drop constraint sepa_statement_once;

-- step outside a transaction
drop index concurrently sepa_entry_unstated;
