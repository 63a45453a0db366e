-- A bank corrects a statement: same name and balances, other entries. Two people accept it together with what it takes back.

-- `corrected`: a statement had it and its correction has not, or it is what took that back. Together they move nothing.
alter table sepa_entry add column corrected boolean not null default false;

-- step
-- UNDONE: takes back a debit that moved nothing in the books.
alter table sepa_entry
  drop constraint sepa_entry_kind,
  add constraint sepa_entry_kind check (
    kind in ('PAID', 'UNATTRIBUTED', 'PROPOSED', 'RETURNED', 'SENT', 'RECALL', 'UNCLEAR', 'OTHER', 'HELD', 'SAME', 'UNDONE')
  ) not valid;

-- step
alter table sepa_entry validate constraint sepa_entry_kind;

-- step
alter table operator_proposal add constraint operator_proposal_kind_listed check (
  kind in (
    'suspense.credit', 'suspense.return', 'end.withdrawal', 'end.refund',
    'unrecorded.charge', 'unrecorded.write-off', 'unrecorded.return',
    'terms.limit', 'terms.destination-add', 'terms.destination-remove', 'terms.fee', 'freeze.end', 'statement.correct'
  )
) not valid;
alter table operator_proposal drop constraint operator_proposal_kind;
alter table operator_proposal rename constraint operator_proposal_kind_listed to operator_proposal_kind;

-- step
alter table operator_proposal validate constraint operator_proposal_kind;
