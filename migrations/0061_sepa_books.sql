-- The audit of bank transfers, and credits that a bank takes back: what a report is about, by which names a bank may speak of a movement
-- again, and which credit a debit takes back.

-- The file of payments that a pain.002 is about.
alter table sepa_file add column about text;

-- `names`: EndToEndId, TxId and UETR. `of_reference`, `of_part`: the credit that this debit takes back.
alter table sepa_entry
  add column names text[] not null default '{}',
  add column of_reference text,
  add column of_part integer;

-- step
-- RECALL: the bank took back a credit. UNCLEAR: it says so, and a person has to say which one.
alter table sepa_entry
  drop constraint sepa_entry_kind,
  add constraint sepa_entry_kind check (
    kind in ('PAID', 'UNATTRIBUTED', 'PROPOSED', 'RETURNED', 'SENT', 'RECALL', 'UNCLEAR', 'OTHER')
  ) not valid,
  add constraint sepa_entry_recall check ((kind = 'RECALL') = (of_reference is not null and of_part is not null)) not valid;

-- step
alter table sepa_entry validate constraint sepa_entry_kind;

-- step
alter table sepa_entry validate constraint sepa_entry_recall;

-- step
-- RECALL: a bank takes back a transfer.
alter table dispute
  drop constraint dispute_kind,
  add constraint dispute_kind check (kind in ('CHARGEBACK', 'MED', 'RECALL')) not valid;

-- step
alter table dispute validate constraint dispute_kind;

-- step
update sepa_entry set names = array[fact ->> 'endToEndId'] where fact ->> 'endToEndId' is not null;

-- step outside a transaction
create index concurrently sepa_file_by_subject on sepa_file (about) where about is not null;
-- step outside a transaction
create index concurrently sepa_entry_by_statement on sepa_entry (connection, statement, reference, part) where statement is not null;
-- step outside a transaction
create index concurrently sepa_entry_by_name on sepa_entry using gin (names);
-- step outside a transaction
create index concurrently sepa_entry_recalls on sepa_entry (connection, of_reference, of_part) where of_reference is not null;
-- step outside a transaction
create index concurrently sepa_entry_unclear on sepa_entry (created_at, connection, reference, part) where kind = 'UNCLEAR';
