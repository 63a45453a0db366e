-- What keeps money in: freezes and suspensions, and whose key a key is. A new table, and new columns without a default: they
-- lock two tables for a moment. The filling touches every API key and what waits in the queues of our wallets.

-- Each row keeps money in until it is taken away: of one merchant, of one rail, or of all.
create table money_freeze (
  id uuid primary key,
  -- SUSPENSION: no new payments of the merchant either.
  kind text not null constraint money_freeze_kind check (kind in ('FREEZE', 'SUSPENSION')),
  merchant_id uuid references merchant,
  -- A payment method, which is also the type of payouts by it.
  rail text,
  reason text not null,
  -- The operating-system user and machine.
  decided_by text not null,
  at timestamptz not null default clock_timestamp(),
  constraint money_freeze_scope check (merchant_id is null or rail is null),
  constraint money_freeze_suspension check (kind = 'FREEZE' or merchant_id is not null)
);
create unique index money_freeze_once on money_freeze (kind, merchant_id, rail) nulls not distinct;

-- Whether money of this merchant may not leave by this rail now: one line in every statement that takes what is to be sent.
create function is_frozen(of_merchant uuid, by_rail text) returns boolean
language sql stable
as $$
  select exists (
    select from money_freeze
     where merchant_id = of_merchant or rail = by_rail or (merchant_id is null and rail is null)
  )
$$;

-- Whose payout it is. Absent: one of our own movements, or one that has its nonce since before this column.
alter table chain_tx add column merchant_id uuid;
update chain_tx set merchant_id = withdrawal.merchant_id
  from withdrawal
 where withdrawal.id = chain_tx.subject and chain_tx.purpose = 'PAYOUT' and chain_tx.state = 'QUEUED';
update chain_tx set merchant_id = refund.merchant_id
  from refund
 where refund.id = chain_tx.subject and chain_tx.purpose = 'PAYOUT' and chain_tx.state = 'QUEUED';

-- The first key of the chain of rotations that the key came of. Absent: it is the first itself.
alter table api_key add column lineage uuid;
-- Nothing was written down until now. A rotation gave the new key the name and scopes of the old one and let that end
-- within 24 hours: the newest such key is taken for the one before. Where that is wrong the rule of two persons refuses too
-- much, and never too little, until a new key is issued.
with recursive rotation as (
  select distinct on (new.merchant_id, new.id) new.merchant_id, new.id, old.id as before
    from api_key as new
    join api_key as old
      on old.merchant_id = new.merchant_id and old.name = new.name and old.scopes = new.scopes
     and (old.created_at, old.id) < (new.created_at, new.id)
     and old.expires_at between new.created_at - interval '5 seconds' and new.created_at + interval '24 hours 5 seconds'
   order by new.merchant_id, new.id, old.created_at desc, old.id desc
), chain as (
  select rotation.merchant_id, rotation.id, rotation.before as lineage
    from rotation
   where not exists (select from rotation as earlier
                      where earlier.merchant_id = rotation.merchant_id and earlier.id = rotation.before)
   union all
  select rotation.merchant_id, rotation.id, chain.lineage
    from chain
    join rotation on rotation.merchant_id = chain.merchant_id and rotation.before = chain.id
)
update api_key set lineage = chain.lineage
  from chain
 where api_key.merchant_id = chain.merchant_id and api_key.id = chain.id;
