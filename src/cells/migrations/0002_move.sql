-- The moves of a cell to another PostgreSQL server: `cell move` records each step before it makes it, so that a second run continues.

create table cell_move (
  id bigint generated always as identity primary key,
  cell text not null references cell (code),
  -- host:port of the server that the cell leaves, and of the one that takes over.
  source text not null,
  target text not null,
  -- Of the server that the cell leaves: its copies have it too, and no other server.
  system_identifier text not null,
  -- FOLLOWING: the target is being made, or follows. CLOSING: the source is being closed, and nobody writes. PROMOTING: the target has everything,
  -- and there is no way back. REOPENING: the source is being opened again.
  state text not null default 'FOLLOWING'
    constraint cell_move_state check (state in ('FOLLOWING', 'CLOSING', 'PROMOTING', 'REOPENING', 'DONE', 'CANCELED')),
  who text not null,
  began_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create unique index cell_move_one on cell_move (cell) where state not in ('DONE', 'CANCELED');
