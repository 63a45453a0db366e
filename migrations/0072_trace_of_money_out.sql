-- The trace of the call that requested a refund, a withdrawal or an operator's job (W3C Trace Context): calls to providers and webhooks
-- carry it.
alter table refund
  add column trace text,
  add constraint refund_trace check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$') not valid;

-- step
alter table refund validate constraint refund_trace;

-- step
alter table withdrawal
  add column trace text,
  add constraint withdrawal_trace check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$') not valid;

-- step
alter table withdrawal validate constraint withdrawal_trace;

-- step
alter table operator_job
  add column trace text,
  add constraint operator_job_trace check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$') not valid;

-- step
alter table operator_job validate constraint operator_job_trace;
