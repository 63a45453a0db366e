-- Payments are found by the customer's name and by the last digits of a card too. As in 0032, a long text is in the index as a hash of four
-- bytes, and the row itself is compared afterwards.

-- step outside a transaction
create index concurrently payment_by_customer_name on payment (
  merchant_id, hashtext(lower(coalesce(request ->> 'customerName', payer ->> 'name') collate "C")), id
) where coalesce(request ->> 'customerName', payer ->> 'name') is not null;

-- step outside a transaction
create index concurrently receipt_by_card on receipt (merchant_id, (means ->> 'last4'), payment_id) where means ->> 'last4' is not null;
