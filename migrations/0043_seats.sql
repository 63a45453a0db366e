-- Members act at a merchant by a key of their own that has no secret: what they request and decide is theirs as if a key had done it,
-- and the rules for two people hold for them. A new column without a default: it locks the table for a moment.

alter table api_key
  -- The user who acts by it. No one else can: its digest is of no key.
  add column member uuid;

-- step outside a transaction
create unique index concurrently api_key_by_member on api_key (merchant_id, member) where member is not null;
