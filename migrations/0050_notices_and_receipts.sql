-- Notices to members and receipts to payers by mail: what is chosen, how far the events are read, how much was written, and which times
-- that come were told. New tables, and indexes beside the traffic.

-- What a member chose. Without a row: the notice comes.
create table mail_notice (
  merchant_id uuid not null,
  user_id uuid not null,
  kind text not null,
  is_on boolean not null,
  primary key (merchant_id, user_id, kind),
  foreign key (merchant_id, user_id) references membership (merchant_id, user_id) on delete cascade
);

-- Whether payers of the merchant get receipts. Without a row: they do not.
create table mail_receipts (
  merchant_id uuid primary key references merchant,
  is_on boolean not null
);

-- How far a merchant's events are read for a stream of letters, and how many letters were written in an hour.
create table mail_reader (
  merchant_id uuid not null references merchant,
  stream text not null constraint mail_reader_stream check (stream in ('NOTICE', 'RECEIPT')),
  sequence bigint not null default 0,
  hour timestamptz not null default '-infinity',
  written integer not null default 0,
  primary key (merchant_id, stream)
) with (fillfactor = 50);

-- Events from before are not told: the readers begin where the merchants are now.
insert into mail_reader (merchant_id, stream, sequence)
select counter.merchant_id, stream, counter.sequence
  from event_counter as counter
  join merchant on merchant.id = counter.merchant_id
 cross join (values ('NOTICE'), ('RECEIPT')) as streams (stream);

-- Times that come and that members were told of: each step once.
create table mail_told (
  merchant_id uuid not null references merchant,
  kind text not null,
  -- The dispute, endpoint or key.
  subject_id uuid not null,
  -- Which of several notices about it. Of a dispute: its round, and how many days before.
  step text not null,
  told_at timestamptz not null,
  primary key (merchant_id, kind, subject_id, step)
);
create index mail_told_by_age on mail_told (told_at);
create index mail_told_failing on mail_told (merchant_id, subject_id) where kind = 'ENDPOINT_FAILING';

-- step outside a transaction
create index concurrently dispute_evidence_due_soon on dispute (evidence_due_at)
 where status = 'OPEN' and evidence_due_at is not null;
-- step outside a transaction
create index concurrently api_key_expiring on api_key (expires_at)
 where revoked_at is null and member is null and expires_at is not null;
