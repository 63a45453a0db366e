-- A database has one head: the books of another cell would be a second chain over the same numbers. New table, and an index
-- beside the traffic. It fails where two heads are, which only a process with a wrong VINTEM_CELL could have made.

-- step outside a transaction
create unique index concurrently head_one on head ((true));

-- step
-- Every batch locks this row first, and reads the clock after it. So who has waited for it knows that nothing more will be written before
-- that instant, without a lock on the head, which would let later batches through.
create table turn (
  one boolean primary key default true,
  constraint turn_one check (one)
);
insert into turn default values;
