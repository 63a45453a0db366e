-- The trace of the call that made a payment (W3C Trace Context): calls to providers and webhooks of the payment carry it.
alter table payment
  add column trace text,
  add constraint payment_trace check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$') not valid;

-- step
alter table payment validate constraint payment_trace;
