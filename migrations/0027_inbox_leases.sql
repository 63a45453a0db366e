-- Who has taken a signal has it until then. In a column that no index holds: the row stays on its page, and no index is written.
alter table inbox add column lease_until timestamptz not null default '-infinity';
