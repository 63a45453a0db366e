-- Each account keeps one currency, each payment keeps what it has in each currency, and fee rules have a past. New columns
-- without a default that rewrites a row, and new tables, in steps of their own: locks nothing for long.

-- An account is of the currency that its name says. `receivable:…:BRL` ends with it, `coins:…:USDT:hot` has it inside;
-- `wallet:{id}:…` does not say it: that is the wallet's (below).
alter table account
  add constraint account_currency check (
    case
      when split_part(name, ':', 1) in ('fees', 'equity') then split_part(name, ':', 2) = currency
      when split_part(name, ':', 1) in ('receivable', 'seen', 'provider', 'coins', 'suspense', 'cost')
        then split_part(name, ':', 3) = currency
      else true
    end
  ) not valid;

-- step
alter table account validate constraint account_currency;

-- A wallet's accounts are opened in the wallet's currency.
-- step outside a transaction
create index concurrently wallet_by_id on wallet (id);

-- step
create function refuse_other_than_wallet() returns trigger language plpgsql as $$
begin
  if exists (select from wallet where id = split_part(new.name, ':', 2)::uuid and currency <> new.currency) then
    raise exception 'account % in %, but its wallet is in another currency', new.name, new.currency
      using errcode = 'check_violation', constraint = 'account_wallet_currency';
  end if;
  return null;
end $$;
create trigger account_wallet_currency after insert on account for each row when (new.name like 'wallet:%')
  execute function refuse_other_than_wallet();

-- Whoever writes a balance says in which currency, and every entry changes a balance. Rows of before have none until they are
-- written. It is compared with the account's only when it changes: the books' own writes never change it, so they pay for
-- comparing two texts and nothing else.
-- step
alter table balance add column currency text;
create function refuse_other_than_account() returns trigger language plpgsql as $$
begin
  if new.currency is distinct from (select currency from account where id = new.account_id) then
    raise exception 'balance of account % in %, but the account is in another currency', new.account_id, new.currency
      using errcode = 'check_violation', constraint = 'balance_currency';
  end if;
  return null;
end $$;
create trigger balance_currency_new after insert on balance for each row when (new.currency is not null)
  execute function refuse_other_than_account();
create trigger balance_currency_kept after update on balance for each row when (old.currency is distinct from new.currency)
  execute function refuse_other_than_account();

-- What a payment has in each currency that it received: the wallet, what is not released, what was given back, and of each
-- method what came and what we kept. Absent: no money came, or it came before this was kept; then the columns say all.
-- step
alter table payment add column money json;

-- step
-- Since when a fee rule is in force, and those that were before it. A payment pays by the rule of its creation.
alter table fee_rule add column valid_from timestamptz not null default 'epoch';
create table fee_rule_past (
  merchant_id uuid not null,
  method text not null,
  currency text not null,
  valid_from timestamptz not null,
  -- Not any more from this instant on.
  valid_to timestamptz not null,
  fixed_minor bigint not null,
  rate_ppm bigint not null,
  primary key (merchant_id, method, currency, valid_from)
);
create trigger fee_rule_past_append_only before update or delete on fee_rule_past
  for each row execute function refuse_change();
