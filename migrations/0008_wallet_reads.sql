-- Own transfers, and running totals that reports are made of. New tables, and one more check on wallets, which are few.

-- The second line: the code refuses first.
alter table wallet add constraint wallet_default_active check (not is_default or is_active);

-- A merchant's transfer between two own wallets of one currency. Written once, with the money it moves.
create table own_transfer (
  merchant_id uuid not null,
  id uuid not null,
  from_wallet_id uuid not null,
  to_wallet_id uuid not null,
  amount_minor bigint not null constraint own_transfer_amount check (amount_minor > 0),
  currency text not null,
  description text,
  metadata json,
  idempotency_key text,
  -- SHA-256 of the canonical request (RFC 8785) without the key.
  fingerprint bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint own_transfer_idempotency unique (merchant_id, idempotency_key),
  constraint own_transfer_wallets check (from_wallet_id <> to_wallet_id)
);
create trigger own_transfer_append_only before update or delete on own_transfer
  for each row execute function refuse_change();

-- What came in and went out of an account from its first entry up to a transfer, by kind. A worker writes such a mark
-- after every so many entries, so a report adds up two marks and a few entries, however long the history is. Derived:
-- it can be emptied (truncate, and the watermark back to 0) and is then made again.
create table tally (
  account_id bigint not null,
  transfer bigint not null,
  kind text not null,
  count bigint not null,
  -- Sums of everything that ever moved: they may leave the range of one balance.
  inflow numeric not null,
  outflow numeric not null,
  primary key (account_id, transfer, kind)
);
create trigger tally_append_only before update or delete on tally for each row execute function refuse_change();

-- The last transfer that the worker has looked at. Moves by compare-and-set, together with what it wrote.
create table tally_watermark (
  one boolean primary key default true constraint tally_watermark_one check (one),
  transfer bigint not null
) with (fillfactor = 10);
insert into tally_watermark (transfer) values (0);
