-- Euro by bank transfer: the references that payers quote, and the files in which a bank says what happened on the operator's account.
-- New tables only: locks nothing.

-- A reference belongs to one attempt for ever: money that quotes it years later is still that payment's.
create table sepa_reference (
  reference text primary key constraint sepa_reference_shape check (reference ~ '^RF[0-9]{2}[0-9A-Z]{1,21}$'),
  connection text not null,
  merchant_id uuid not null,
  payment_id uuid not null,
  attempt_id uuid not null,
  created_at timestamptz not null,
  constraint sepa_reference_attempt unique (merchant_id, attempt_id)
);

-- A file as it was handed in. A refused one may be accepted later, when the file before it has come; an imported one never changes.
create table sepa_file (
  connection text not null,
  sha256 bytea not null,
  message text not null constraint sepa_file_message check (message ~ '^(camt\.05[34]|pain\.002)\.001\.[0-9]{2}$'),
  name text not null,
  bytes bytea not null,
  state text not null constraint sepa_file_state check (state in ('IMPORTED', 'REFUSED')),
  reason text constraint sepa_file_reason check ((reason is null) = (state = 'IMPORTED')),
  entries integer not null,
  handed_in_by text not null,
  created_at timestamptz not null,
  primary key (connection, sha256)
);
create index sepa_file_by_time on sepa_file (created_at desc, connection, sha256);

-- The statements of an account, in order: each opens with the balance with which the one before it closed.
create table sepa_statement (
  connection text not null,
  number integer not null constraint sepa_statement_number check (number > 0),
  bank_id text not null,
  opening_minor bigint not null,
  closing_minor bigint not null,
  closed_on date not null,
  file_sha256 bytea not null,
  primary key (connection, number),
  constraint sepa_statement_once unique (connection, bank_id)
);

-- One movement on the account. `reference` is the bank's own (AcctSvcrRef); `part` tells the transfers of a collected entry apart.
-- `statement` stays null while only a notification (camt.054) has named it.
create table sepa_entry (
  connection text not null,
  reference text not null,
  part integer not null,
  credit boolean not null,
  amount_minor bigint not null constraint sepa_entry_amount check (amount_minor > 0),
  currency text not null,
  booked_on date not null,
  fact json not null,
  kind text not null constraint sepa_entry_kind check (kind in ('PAID', 'UNATTRIBUTED', 'PROPOSED', 'RETURNED', 'SENT', 'OTHER')),
  merchant_id uuid,
  payment_id uuid,
  attempt_id uuid,
  statement integer,
  file_sha256 bytea not null,
  created_at timestamptz not null,
  primary key (connection, reference, part)
);
create index sepa_entry_unstated on sepa_entry (connection, booked_on) where statement is null;
create index sepa_entry_proposed on sepa_entry (created_at, connection, reference, part) where kind = 'PROPOSED';
