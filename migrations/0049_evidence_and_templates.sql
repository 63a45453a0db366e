-- Evidence that a merchant sends against a dispute: new tables. And an index by which payments are found by their template, beside the traffic.

-- What a merchant has written and submitted, one row for each dispute with any.
create table dispute_evidence (
  merchant_id uuid not null,
  dispute_id uuid not null,
  status text not null constraint dispute_evidence_status check (status in ('DRAFT', 'SENDING', 'SENT', 'REFUSED')),
  -- By the name of the field.
  texts jsonb not null default '{}',
  -- Grows with each change of texts and files: who submits names the version that they have seen.
  version integer not null default 1,
  changed_at timestamptz not null,
  -- The API key; a member acts by a key of their own.
  changed_by uuid not null,
  -- Of the latest submission: its reference at the provider.
  submission_id uuid,
  submitted_at timestamptz,
  submitted_by uuid,
  -- When the provider had it.
  sent_at timestamptz,
  -- Why the provider refused it.
  failure text,
  primary key (merchant_id, dispute_id),
  foreign key (merchant_id, dispute_id) references dispute (merchant_id, id),
  constraint dispute_evidence_submitted check (
    (status = 'DRAFT') = (submission_id is null) and (submission_id is null) = (submitted_at is null)
    and (submission_id is null) = (submitted_by is null)),
  constraint dispute_evidence_sent check ((status = 'SENT') = (sent_at is not null)),
  constraint dispute_evidence_failure check ((status = 'REFUSED') = (failure is not null))
) with (fillfactor = 70);

create table dispute_evidence_file (
  merchant_id uuid not null,
  dispute_id uuid not null,
  kind text not null,
  -- Its reference at the provider.
  id uuid not null,
  name text not null,
  type text not null,
  bytes bytea not null constraint dispute_evidence_file_size check (length(bytes) between 1 and 10000000),
  -- SHA-256 of the bytes.
  digest bytea not null constraint dispute_evidence_file_digest check (length(digest) = 32),
  added_at timestamptz not null,
  added_by uuid not null,
  primary key (merchant_id, dispute_id, kind),
  foreign key (merchant_id, dispute_id) references dispute_evidence (merchant_id, dispute_id)
);
-- Documents and pictures are compressed already.
alter table dispute_evidence_file alter column bytes set storage external;

-- Submissions whose end is not known, each with the time at which its provider is called next.
create table dispute_evidence_due (
  merchant_id uuid not null,
  dispute_id uuid not null,
  connection text not null,
  due_at timestamptz not null,
  -- How often a worker claimed it.
  takes integer not null default 0,
  primary key (merchant_id, dispute_id),
  foreign key (merchant_id, dispute_id) references dispute_evidence (merchant_id, dispute_id)
) with (fillfactor = 70);
create index dispute_evidence_due_turn on dispute_evidence_due (connection, due_at);

-- step outside a transaction
create index concurrently payment_by_checkout on payment (merchant_id, hashtext(request ->> 'checkout'), id)
 where request ->> 'checkout' is not null;
