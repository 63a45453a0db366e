-- After a restore a merchant may request a withdrawal again whose money has left: each request looks its reference up here.

-- step outside a transaction
create index concurrently unrecorded_by_reference on unrecorded (reference);
