-- Somebody has chosen that one person pays out of this account by this type, whatever the amount. Where nobody has chosen an amount of approval
-- or this, the suggested amount is in force (src/money-out/limits.ts).
alter table withdrawal_limit add column one_person boolean not null default false;
