-- A share that comes after its sub-account was closed stays with the platform. This says how much of each share that is.
alter table payment_share add column kept_minor bigint not null default 0;
alter table payment_share add constraint payment_share_kept check (kept_minor >= 0) not valid;

-- step
alter table payment_share validate constraint payment_share_kept;
