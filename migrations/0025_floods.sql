-- Payments that get very many deposits cost no more than others.

-- How many transfers reached an address and are on the chain now, so that nobody has to count them. Written by the triggers
-- below and by nothing else, so that watchers of this version and of the one before may run side by side.
create table deposit_count (
  chain text not null,
  address bytea not null,
  transfers bigint not null,
  primary key (chain, address)
) with (fillfactor = 50);

create function count_new_deposits() returns trigger language plpgsql as $$
begin
  insert into deposit_count (chain, address, transfers)
  select chain, address, count(*) from added where state <> 'ORPHANED' group by chain, address
  on conflict (chain, address) do update set transfers = deposit_count.transfers + excluded.transfers;
  return null;
end $$;

create function count_changed_deposits() returns trigger language plpgsql as $$
begin
  insert into deposit_count (chain, address, transfers)
  select chain, address, sum(one)
    from (select chain, address, 1 as one from after_it where state <> 'ORPHANED'
           union all
          select chain, address, -1 from before_it where state <> 'ORPHANED') as each
   group by chain, address
  having sum(one) <> 0
  on conflict (chain, address) do update set transfers = deposit_count.transfers + excluded.transfers;
  return null;
end $$;

-- step
-- In one step, so that nothing is counted twice: watchers wait until the transfers of before are counted, some seconds for some
-- millions of them. Nobody else writes here.
create trigger chain_transfer_counted after insert on chain_transfer
  referencing new table as added for each statement execute function count_new_deposits();
create trigger chain_transfer_recounted after update on chain_transfer
  referencing old table as before_it new table as after_it for each statement execute function count_changed_deposits();

insert into deposit_count (chain, address, transfers)
select chain, address, count(*) from chain_transfer where state <> 'ORPHANED' group by chain, address;

-- step
-- The provider's name of the money that completed the sum: it is always shown. Absent for payments of before.
alter table payment add column completing_ref text;

-- step
-- Of what tells of one payment, or one merchant, very often at once, all but the first: it waits behind what tells of others.
alter table inbox add column crowded boolean not null default false;

-- The newest deposits of an address, and a page of all of them, from the index alone.
-- step outside a transaction
create index concurrently chain_transfer_of_address on chain_transfer (chain, address, block_at, block_number, log_index);

-- step outside a transaction
drop index concurrently if exists chain_transfer_by_address;

-- Signals are taken connection by connection, each in the order of their arrival, and those of a crowd apart.
-- step outside a transaction
create index concurrently inbox_turn on inbox (connection, due_at, id) where not parked and not crowded;

-- step outside a transaction
create index concurrently inbox_turn_crowded on inbox (connection, due_at, id) where not parked and crowded;

-- step outside a transaction
drop index concurrently if exists inbox_due;
