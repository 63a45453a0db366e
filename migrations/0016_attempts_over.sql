-- Since when nothing can come of an attempt any more, as its provider says: nobody is shown it, and it is not asked about.
alter table attempt add column over_at timestamptz;
