-- Drafts of checkout templates: what a merchant's people have changed and not published, one for each template, seen by all of them.

create table template_draft (
  merchant_id uuid not null references merchant,
  slug text not null constraint template_draft_slug check (slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'),
  -- The save that wrote it: who saves says which one they have seen.
  version uuid not null,
  -- The revision that it began from. 0: none yet, or the template that every merchant has.
  base integer not null constraint template_draft_base check (base >= 0),
  -- As it was typed: it may be invalid.
  document json not null constraint template_draft_size check (octet_length(document::text) <= 262144),
  author uuid not null references app_user,
  saved_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (merchant_id, slug)
);
create index template_draft_by_end on template_draft (ends_at);
