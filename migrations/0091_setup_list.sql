-- The merchant's people have put the setup list of the overview away (src/merchants/setup.ts).
alter table merchant add column setup_hidden boolean not null default false;
