-- Whether somebody chose the language and the time zone of a user: the person, who made the user, or the browser of a sign-in. Until then they
-- are defaults, and the first sign-in from a browser writes its own (src/people/users.ts). Who is there already has chosen.
alter table app_user
  add column language_chosen boolean not null default true,
  add column time_zone_chosen boolean not null default true;
