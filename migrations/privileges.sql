-- What the application's role may do. Run after the migrations, every time; safe to repeat.
-- The setting vintem.app_role names the role, so that an operator may choose it.

do $$
declare
  app_role text := current_setting('vintem.app_role');
  append_only text[] := array['batch', 'account', 'transfer', 'entry', 'receipt', 'event', 'template_revision',
    'chain_tx_attempt', 'own_transfer', 'tally', 'audit_log', 'audit_seal', 'audit_key', 'fee_rule_past', 'epoch', 'event_gap',
    'money_out_comparison'];
  -- Only the owner erases.
  read_only text[] := array['migration', 'erasure', 'erased'];
  relation record;
begin
  execute format('grant usage on schema %I to %I', current_schema(), app_role);
  for relation in select tablename from pg_tables where schemaname = current_schema() loop
    execute format('revoke all on %I from %I', relation.tablename, app_role);
    if relation.tablename in ('migration_step', 'migrator') then
      continue;
    elsif relation.tablename = any (read_only) then
      execute format('grant select on %I to %I', relation.tablename, app_role);
    elsif relation.tablename = any (append_only) then
      execute format('grant select, insert on %I to %I', relation.tablename, app_role);
    else
      execute format('grant select, insert, update, delete on %I to %I', relation.tablename, app_role);
    end if;
  end loop;
  execute format('grant usage on all sequences in schema %I to %I', current_schema(), app_role);
end $$;
