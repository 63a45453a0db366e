-- Who a movement is: banks write placeholders and counters that restart, so a movement is looked for by its day and amount too. What has
-- the name of another one is held until a person decides. What is stored keeps its names.

-- `like_reference`, `like_part`: of a movement that is or was held, the one that it is like.
alter table sepa_entry
  add column like_reference text,
  add column like_part integer;

-- step
-- HELD: in no book until a person decides. SAME: it was held, and is the movement that it is like.
alter table sepa_entry
  drop constraint sepa_entry_kind,
  add constraint sepa_entry_kind check (
    kind in ('PAID', 'UNATTRIBUTED', 'PROPOSED', 'RETURNED', 'SENT', 'RECALL', 'UNCLEAR', 'OTHER', 'HELD', 'SAME')
  ) not valid;

-- step
alter table sepa_entry validate constraint sepa_entry_kind;

-- step outside a transaction
create index concurrently sepa_entry_by_day on sepa_entry (connection, booked_on, amount_minor);
-- step outside a transaction
create index concurrently sepa_entry_held on sepa_entry (created_at, connection, reference, part) where kind = 'HELD';
-- step outside a transaction
create index concurrently sepa_entry_like on sepa_entry (connection, like_reference, like_part) where like_reference is not null;

-- step
-- What a report about a file of payments does not say clearly, and a person asks the bank.
alter table sepa_file add column raised text;
