-- The data of a payer goes, on request, where the books do not have to keep it. New tables; one trigger gets another function, and the
-- payment a column without a default: locks nothing for long.

-- One step of one erasure: a transaction that erased texts of one payment, and the person who ran the command.
create table erasure (
  id uuid primary key,
  merchant_id uuid not null,
  payment_id uuid not null,
  erased_by text not null,
  at timestamptz not null default clock_timestamp(),
  -- SHA-256 of its rows in `erased`. Its entry in the audit log has the same, and the hash chain covers that.
  digest bytea not null constraint erasure_digest check (length(digest) = 32)
);
create index erasure_by_payment on erasure (merchant_id, payment_id);
create trigger erasure_append_only before update or delete on erasure for each row execute function refuse_change();

-- What was erased of texts whose hash is in the books, or that make a fingerprint: the digest of what stood there stays.
create table erased (
  merchant_id uuid not null,
  place text not null constraint erased_place check (
    place in ('event.body', 'receipt.evidence', 'payment.request', 'refund.request')
  ),
  -- Of an event its number, of a receipt the payment and its ordinal, of the others the id.
  key text not null,
  erasure_id uuid not null,
  -- SHA-256 of what stood there, and of what stands there now.
  before_digest bytea not null constraint erased_before check (length(before_digest) = 32),
  after_digest bytea not null constraint erased_after check (length(after_digest) = 32),
  primary key (merchant_id, place, key)
);
create index erased_by_erasure on erased (erasure_id, place, key);
create trigger erased_append_only before update or delete on erased for each row execute function refuse_change();

-- The body of an event may become the one that an erasure has written down, and nothing else of it changes.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'body' = to_jsonb(old) - 'body' and exists (
    select from erased
     where merchant_id = old.merchant_id and place = 'event.body' and key = old.sequence::text
       and before_digest = sha256(convert_to(old.body, 'UTF8')) and after_digest = sha256(convert_to(new.body, 'UTF8'))
  ) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create or replace trigger event_append_only before update or delete on event
  for each row execute function refuse_change_but_erasure();

alter table payment add column payer_erased_at timestamptz;
