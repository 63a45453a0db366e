-- Where the pages of the merchant's payments lead back to when neither the payment nor its template says it.
alter table merchant add column return_url text;
alter table merchant
  add constraint merchant_return_url check (return_url is null or length(return_url) between 1 and 2048) not valid;
