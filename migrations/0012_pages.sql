-- The page on which a payer pays: its link is part of the payment from the first moment, so a replay answers the same one.
alter table payment
  -- Unguessable; whoever has it may see what a payer may see.
  add column page_token text,
  add column page_url text;
create unique index payment_by_page on payment (page_token) where page_token is not null;

-- What the payer paid with, as the receipt's provider says it, such as the brand of a card.
alter table receipt add column means json;

alter table receipt drop constraint receipt_outcome;
alter table receipt add constraint receipt_outcome check (
  outcome in (
    'seen', 'orphaned', 'authorised', 'voided', 'paid', 'declined', 'refunded', 'refund_failed',
    'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost'
  )
);
