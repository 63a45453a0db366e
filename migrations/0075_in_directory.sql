-- Whether this cell is one of a directory of cells. Its workers write it: a process that faces the web does not have the URL of the directory,
-- and has to refuse what only the directory can check.
create table in_directory (
  one boolean primary key default true constraint in_directory_one check (one),
  since timestamptz not null default clock_timestamp()
);
