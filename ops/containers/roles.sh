#!/bin/sh
# Runs once, when PostgreSQL's container makes its database: the role of the application, which gets its rights from `migrate`.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=password="$VINTEM_APP_PASSWORD" <<'SQL'
create role vintem_app login password :'password';
SQL
