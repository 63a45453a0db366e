-- Who the merchant is before the law. Receipts show it; the merchant sets it. `tax_id` is in its normal form, of `tax_country`, and without one
-- of Brazil.
alter table merchant
  add column legal_name text,
  add column tax_id text,
  add column tax_country text;
alter table merchant
  add constraint merchant_legal_name check (legal_name is null or length(legal_name) between 1 and 200) not valid,
  add constraint merchant_tax_id check (tax_id is null or length(tax_id) between 1 and 30) not valid,
  add constraint merchant_tax_country check (tax_country is null or tax_country ~ '^[A-Z]{2}$') not valid;
