-- A share of money that waits for a settlement delay stands in its sub-account's own pending balance. This says how much of each share that
-- is, and how much each receipt brought there.
alter table payment_share add column unreleased_minor bigint not null default 0;
alter table payment_share add constraint payment_share_unreleased check (unreleased_minor >= 0) not valid;
-- In the order of the shares, less what of it paid our fee. Null: the money came before this migration. All of it stands in the platform's
-- pending balance, and its shares are given when it is released.
alter table release add column share_minors bigint[];
-- A process of an older release does not know the shares, and would leave them pending for ever: it cannot end such a row.
alter table release add column shares_released boolean not null default false;
alter table release add constraint release_shares
  check (released_at is null or coalesce(cardinality(share_minors), 0) = 0 or shares_released) not valid;

-- step
alter table payment_share validate constraint payment_share_unreleased;
alter table release validate constraint release_shares;
