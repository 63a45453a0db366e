-- The books: accounts, transfers, entries, and the chain of batches. New tables only: locks nothing.
-- Transfers and entries are never updated or deleted; the application's role may not (privileges.sql), and the
-- triggers below stop the owner too. The checks are the second line: the ledger refuses first, so they never fire.

-- One row in each cell: the end of the chain. Every batch locks it, so there is one order of all money.
create table head (
  cell text primary key,
  batch bigint not null,
  transfer bigint not null,
  account bigint not null,
  at timestamptz not null,
  hash bytea not null
) with (fillfactor = 10);

create table batch (
  number bigint primary key,
  -- Chosen before the commit, so that a commit whose answer was lost can be looked up.
  id uuid not null constraint batch_id unique,
  -- The numbers before the first and of the last transfer and account of the batch.
  transfer_from bigint not null,
  transfer_to bigint not null,
  account_from bigint not null,
  account_to bigint not null,
  events integer not null,
  at timestamptz not null,
  prev bytea not null,
  hash bytea not null,
  constraint batch_ranges check (transfer_from <= transfer_to and account_from <= account_to)
);
create index batch_by_time on batch (at);

create table account (
  id bigint primary key,
  mode text not null constraint account_mode check (mode in ('LIVE', 'SANDBOX')),
  name text not null,
  currency text not null,
  -- The side on which the balance grows.
  side text not null constraint account_side check (side in ('DEBIT', 'CREDIT')),
  batch bigint not null,
  constraint account_name unique (mode, name)
);

create table balance (
  account_id bigint primary key,
  minor bigint not null,
  entries bigint not null,
  -- Whether it may go below zero.
  floored boolean not null,
  constraint balance_floor check (minor >= 0 or not floored)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table transfer (
  number bigint primary key,
  batch bigint not null,
  -- What it belongs to (a payment, a withdrawal…) and which step of it: the pair counts once.
  subject uuid not null,
  step text not null,
  kind text not null,
  debit bigint not null,
  credit bigint not null,
  minor bigint not null,
  -- SHA-256 of the exact bytes that gave rise to it.
  cause bytea not null,
  constraint transfer_once unique (subject, step),
  constraint transfer_sides check (debit <> credit),
  constraint transfer_minor check (minor > 0)
);

-- One side of a transfer. An account is on one side only, so the pair is a key, and entries of an account lie together
-- in the order of time.
create table entry (
  account_id bigint not null,
  transfer bigint not null,
  -- Signed by the side on which the account grows.
  minor bigint not null,
  -- The account's balance after this entry.
  balance bigint not null,
  primary key (account_id, transfer)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger transfer_append_only before update or delete on transfer for each row execute function refuse_change();
create trigger entry_append_only before update or delete on entry for each row execute function refuse_change();
create trigger batch_append_only before update or delete on batch for each row execute function refuse_change();
create trigger account_append_only before update or delete on account for each row execute function refuse_change();
