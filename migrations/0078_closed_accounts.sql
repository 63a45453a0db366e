-- Money that comes for a closed sub-account goes on to its parent, by a transfer that nobody requested.

alter table own_transfer
  -- The payment, withdrawal, refund, dispute or suspense whose money it was. Absent: a merchant requested the transfer.
  add column source_id uuid;
alter table own_transfer add constraint own_transfer_source check (
  source_id is null or (other_merchant_id is not null and grant_id is null)) not valid;

-- step
alter table own_transfer validate constraint own_transfer_source;
