-- Events of certain types alone, however rare they are. Beside the traffic.

-- step outside a transaction
create index concurrently event_by_type on event (merchant_id, type, sequence);
