-- A key is found by its id alone, whoever's it is: a parent's key acts for its sub-accounts, and who holds it decides there too.

-- step outside a transaction
create unique index concurrently api_key_by_id on api_key (id);
