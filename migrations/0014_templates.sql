-- Checkout templates: how a merchant's hosted pages look, what they ask and which methods they offer. New tables, and
-- columns without a default: locks nothing for long.

create table template (
  merchant_id uuid not null references merchant,
  slug text not null constraint template_slug check (slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'),
  is_active boolean not null,
  -- The revision that new payments keep to. 0: what every merchant has as `default` from the start.
  revision integer not null constraint template_revision_known check (revision > 0 or slug = 'default'),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (merchant_id, slug)
);
create index template_by_change on template (changed_at);

-- What a template said at a time. Never changed: a payment keeps to the one that it was made with.
create table template_revision (
  merchant_id uuid not null references merchant,
  slug text not null,
  number integer not null constraint template_revision_number check (number > 0),
  -- Without its logo, which is kept as the bytes of a picture and their media type.
  document json not null,
  logo bytea,
  logo_type text constraint template_logo_type check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  created_at timestamptz not null,
  primary key (merchant_id, slug, number),
  constraint template_logo check ((logo is null) = (logo_type is null))
);

alter table payment
  -- Of a checkout: the revision of its template.
  add column template_revision integer,
  -- What the payer told of themselves on the page.
  add column payer json;

alter table attempt
  -- What the provider is asked for, kept before it is: asking again is asking for the same.
  add column asked json,
  -- Why the provider will never take it.
  add column refusal json;
