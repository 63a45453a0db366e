-- Refunds by a rail that sends the money itself: where the merchant says it goes, and the transaction that took it there.
alter table refund
  add column destination json,
  add column tx_hash text;
