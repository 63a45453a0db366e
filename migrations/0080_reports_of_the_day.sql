-- A bank's report of the day (camt.052) is kept like its other files. It only shows that money was seen.
alter table sepa_file
  drop constraint sepa_file_message,
  add constraint sepa_file_message check (message ~ '^(camt\.05[234]|pain\.002)\.001\.[0-9]{2}$') not valid;

-- step
alter table sepa_file validate constraint sepa_file_message;
