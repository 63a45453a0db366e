-- Disputes of money that fitted no payment and was credited to a merchant, disputes that are reinstated, and refunds that are
-- held back while a dispute over their money is open. New columns without a default that rewrites a row, and an index on a
-- table that is small: locks nothing for long.

alter table dispute
  alter column payment_id drop not null,
  -- Instead of the payment: the money in suspense that was credited to the merchant.
  add column unmatched_id uuid,
  -- How often the provider took the money: won again, it may be taken once more.
  add column round integer not null default 1 constraint dispute_round check (round > 0),
  add constraint dispute_about check ((payment_id is null) <> (unmatched_id is null)) not valid;
alter table dispute validate constraint dispute_about;
create index dispute_by_unmatched on dispute (unmatched_id) where unmatched_id is not null;

alter table unmatched
  -- Of word of a dispute: the provider's name of the money that it is about, and the dispute, if it moved one.
  add column about_ref text,
  add column dispute_id uuid;
create index unmatched_about on unmatched (connection, about_ref) where about_ref is not null;
create index unmatched_of_dispute on unmatched (dispute_id) where dispute_id is not null;

alter table refund
  -- A dispute over its money is open: nothing is set aside for it, and it is not sent.
  add column is_held_back boolean not null default false;
