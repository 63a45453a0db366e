-- The key that asked for a transfer, so that `verify` sees who took by a grant. Null: by an earlier release, or a row that nobody asked for: the
-- sub-account's own, and what went on from a closed one.
alter table own_transfer add column requested_by uuid;
