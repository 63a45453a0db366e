-- Refunds by bank transfer leave in the same files of payments as withdrawals. A payout that was stopped before it was in a file has no
-- file. The new column has a default, and the table is small: it locks it for a moment.

alter table sepa_payout
  -- Of what `payout_id` is.
  add column kind text not null default 'WITHDRAWAL',
  add constraint sepa_payout_kind check (kind in ('WITHDRAWAL', 'REFUND')) not valid,
  drop constraint sepa_payout_batched,
  add constraint sepa_payout_batched
    check (case state when 'WAITING' then batch_id is null when 'REFUSED' then true else batch_id is not null end) not valid;

-- step
alter table sepa_payout validate constraint sepa_payout_kind;

-- step
alter table sepa_payout validate constraint sepa_payout_batched;

-- step outside a transaction
create unique index concurrently sepa_payout_by_subject on sepa_payout (payout_id);

-- step outside a transaction
create index concurrently sepa_payout_refunds on sepa_payout (reference) where kind = 'REFUND';

-- step
-- What is paid by SEPA_TRANSFER leaves by SEPA: one rail, whose payouts have a name of their own.
create or replace function is_frozen(of_merchant uuid, by_rail text) returns boolean
language sql stable
as $$
  select exists (
    select from money_freeze
     where merchant_id = of_merchant or rail = by_rail or (rail = 'SEPA_TRANSFER' and by_rail = 'SEPA')
        or (merchant_id is null and rail is null)
  )
$$;
