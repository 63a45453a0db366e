// Fills tables with a million rows by statements in the database: one large merchant, old and new rows, and in each table a rare kind of
// row at the far end. By default the values of a column follow from its name or its type, so a new column needs no line here, and a new
// table needs a line only if its checks require more.
import { createHash } from 'node:crypto'
import type { Sql } from '#/db/client.ts'
import { byName, byTable } from './fill-columns.ts'

/** Tables that hold few rows by their nature; the number is how many are made. */
const small: Readonly<Record<string, number>> = {
  audit_key: 20,
  key_in_force: 1,
  backup_mark: 1,
  epoch: 3,
  event_gap: 3,
  restore: 3,
  restore_review: 3,
  money_out_comparison: 10,
  chain: 1,
  connection: 2_000,
  head: 1,
  hot_wallet: 3,
  coin_place: 3,
  tally_watermark: 0,
  reconciliation: 50,
  refill: 20,
  gas_fill: 100,
  rescue: 100,
  money_freeze: 20,
  sandbox_inbox: 500,
  sandbox: 200,
  audit_unsealed: 1_000,
  migration: 0,
  migration_step: 0,
  migrator: 0,
  // Its one row comes with its migration.
  turn: 0,
  // Of a cell that is none of several.
  in_directory: 0,
  worker_public_key: 1,
  operator_upload: 1_000,
  operator_upload_part: 1_000,
}

/** How many rows of a table correspond to this number of the big ones. */
function rowsOf(table: string, size: number): number {
  if (table === 'merchant') return Math.ceil(size / 4) + 1_002
  if (table === 'coin_claim') return size / 2
  if (table === 'audit_seal') return size - 1_000
  if (
    [
      'fee_rule',
      'template',
      'template_revision',
      'template_draft',
      'withdrawal_limit',
      'event_counter',
      'request_count',
    ].includes(table)
  ) {
    return Math.ceil(size / 4)
  }
  return small[table] ?? size
}

/** The first row is of this instant, in milliseconds, and rows are evenly spread over the days after it. */
const beginMs = 1_735_689_600_000
const spreadMs = 347 * 24 * 3_600_000

/** Simple enough for the planner to put them in place. Identifiers are of version 7, so they are in the order of their rows. */
const functions = (size: number) => `
  create function size_at(i bigint, n bigint) returns timestamptz language sql immutable as
    $$ select to_timestamp((${beginMs} + i * (${spreadMs} / n))::double precision / 1000) $$;
  create function size_bytes(i bigint, length integer) returns bytea language sql immutable as
    $$ select decode(lpad(to_hex(i), 2 * length, '0'), 'hex') $$;
  create function size_id(kind text, i bigint) returns uuid language sql immutable as
    $$ select (lpad(to_hex(${beginMs} + i * ${Math.floor(spreadMs / size)}), 12, '0') || '7' || substr(md5(kind), 1, 3)
               || '8' || lpad(to_hex(i), 15, '0'))::uuid $$;
  create function size_merchant(i bigint) returns uuid language sql immutable as
    $$ select size_id('merchant', case when i % 100 = 0 then 2 + (i / 100) % 1000 else 1 end) $$`

/** The identifier of a row, as the database makes it. */
export function idOf(kind: string, i: number, size: number): string {
  const at = (beginMs + i * Math.floor(spreadMs / size)).toString(16).padStart(12, '0')
  const name = createHash('md5').update(kind).digest('hex').slice(0, 3)
  const tail = `8${i.toString(16).padStart(15, '0')}`
  return `${at.slice(0, 8)}-${at.slice(8)}-7${name}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** The instant of a row of a table of `size` rows. */
export function atOf(i: number, size: number): Date {
  return new Date(beginMs + i * Math.floor(spreadMs / size))
}

/** Fills every table of the schema, and lets the planner know. `owner` may do anything here. */
export async function fillTables(owner: Sql, size: number): Promise<void> {
  await owner.unsafe(functions(size))
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`
  // Otherwise every entry of the log would wait to be sealed.
  await owner`alter table audit_log disable trigger audit_log_noted`
  const again = await withoutIndexes(owner)
  // Triggers fill this one, with the transfers.
  const others = tables.filter(({ name }) => name !== 'deposit_count')
  for (const { name } of others) await fill(owner, name, rowsOf(name, size))
  for (const definition of again) await owner.unsafe(definition)
  await owner.unsafe('analyze')
}

/** Drops what makes filling slow. Returns the statements that make the indexes again; foreign keys are not needed by any query. */
async function withoutIndexes(owner: Sql): Promise<readonly string[]> {
  const keys = await owner<{ drop: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`
  const indexes = await owner<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index
      join pg_class on pg_class.oid = indrelid and relnamespace = current_schema()::regnamespace
     where not exists (select from pg_constraint where conindid = indexrelid)`
  for (const { drop } of keys) await owner.unsafe(drop)
  for (const { name } of indexes) await owner.unsafe(`drop index ${name}`)
  return indexes.map(({ definition }) => definition)
}

type Column = {
  readonly name: string
  readonly type: string
  readonly needed: boolean
  readonly identity: boolean
}

async function fill(owner: Sql, table: string, rows: number): Promise<void> {
  if (rows === 0) return
  const columns = await owner<Column[]>`
    select attname as name, format_type(atttypid, null) as type, attnotnull and not atthasdef as needed,
           attidentity <> '' as identity
      from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  const chosen = columns
    .filter(({ identity }) => !identity)
    .flatMap((column) => {
      const expression = expressionOf(table, column)
      return expression === undefined ? [] : [{ name: column.name, expression }]
    })
  const names = chosen.map(({ name }) => `"${name}"`).join(', ')
  const values = chosen.map(({ expression }) => expression).join(', ')
  await owner
    .unsafe(
      `insert into ${table} (${names}) select ${values}
         from (select i, ${rows}::bigint as n, i <= 3 as rare from generate_series(1::bigint, ${rows}) as i) as row`,
    )
    .catch((error: unknown) => {
      throw new Error(`table ${table} cannot be filled: say in test/size/fill.ts how (${String(error)})`)
    })
}

function expressionOf(table: string, { name, type, needed }: Column): string | undefined {
  const explicit = byTable[table]?.[name]
  if (explicit !== undefined) return explicit
  if (name === 'id' && type === 'uuid') return `size_id('${table}', i)`
  const named = byName[name]
  if (named !== undefined) return named
  if (!needed) return undefined
  if (type === 'uuid') return `size_id('${name}', i)`
  if (type === 'bytea') return 'size_bytes(i, 20)'
  if (type === 'boolean') return 'false'
  if (type.startsWith('timestamp')) return 'size_at(i, n)'
  if (type === 'date') return 'size_at(i, n)::date'
  if (type.startsWith('json')) return `'{}'::${type}`
  if (type.endsWith('[]')) return `'{}'::${type}`
  if (type === 'text') return `'x'`
  return '1'
}
