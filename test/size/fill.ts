// Tables of a million rows, made by the database itself: one large merchant, old rows and new ones, and of everything a rare
// kind that is at the far end. By default a column's values follow from its name or its type, so a new column needs no
// line, and a new table needs one only if its checks require more.
import { createHash } from 'node:crypto'
import type { Sql } from '#/db/client.ts'

/** The row number is `i`, from 1 to `n`. `rare` is true for three of them, the oldest. */
type Columns = Readonly<Record<string, string>>

/** Tables that hold few rows by their nature; the number is how many are made. */
const small: Readonly<Record<string, number>> = {
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
  migration: 0,
  migration_step: 0,
  migrator: 0,
}

const byName: Columns = {
  merchant_id: 'size_merchant(i)',
  payment_id: `size_id('payment', i)`,
  attempt_id: `size_id('attempt', i)`,
  refund_id: `size_id('refund', i)`,
  withdrawal_id: `size_id('withdrawal', i)`,
  delivery_id: `size_id('delivery', i)`,
  resource_id: `size_id('payment', i)`,
  wallet_id: `size_id('wallet', 1)`,
  tx: `size_id('chain_tx', i)`,
  move: `size_id('coin_move', i)`,
  chain: `'bsc'`,
  method: `case when rare then 'PARTNER_PAY' else 'PIX' end`,
  currency: `case when rare then 'EUR' else 'BRL' end`,
  mode: `'LIVE'`,
  connection: `'c' || 1 + i % 50`,
  provider_ref: `'ref' || i`,
  reference: `'ref' || i`,
  batch: 'i',
  number: 'i',
  address: 'size_bytes(i, 20)',
  evidence: 'size_bytes(i, 32)',
  occurrence: '1',
  outcome: `case when rare then 'refunded' else 'paid' end`,
  due_at: `size_at(i, n) + interval '1 year'`,
  sequence: 'i',
  event_sequence: 'i',
  endpoint_id: `size_id('webhook_endpoint', 1 + i % 50)`,
}

const walletCurrency = `(array['BRL', 'EUR', 'USDT', 'USD'])[1 + i % 4]`
/** As its name says, or its wallet. */
const accountCurrency = `case when i in (3, 4, 6) then 'BRL' when i = 5 then 'USDT' else ${walletCurrency} end`

const payout = `case when rare then 'SWEEP' else 'PAYOUT' end`

const byTable: Readonly<Record<string, Columns>> = {
  money_freeze: { kind: `'FREEZE'`, merchant_id: `size_id('merchant', 1 + i)`, rail: 'null' },
  sandbox: { merchant_id: `size_id('merchant', 1 + i)`, name: `'sandbox ' || i`, archived_at: 'null' },
  merchant: { name: `'merchant ' || i`, mode: `case when i = 3 then 'SANDBOX' else 'LIVE' end` },
  api_key: { merchant_id: `size_id('merchant', 1 + i / 4)`, digest: 'size_bytes(i, 32)', scopes: `'{}'` },
  fee_rule: { merchant_id: `size_id('merchant', i)` },
  template: { merchant_id: `size_id('merchant', i)`, slug: `'default'`, revision: '0' },
  template_revision: { merchant_id: `size_id('merchant', i)`, slug: `'default'` },
  withdrawal_limit: { merchant_id: `size_id('merchant', i)`, type: `'PIX'` },
  withdrawal_destination: {
    merchant_id: `size_id('merchant', 1 + i / 10)`,
    type: `'PIX'`,
    destination: `'key' || i`,
  },
  withdrawal_spent: {
    type: `'PIX'`,
    merchant_id: `size_id('merchant', 1 + i / 100)`,
    day: `date '2025-01-01' + (i % 100)::integer`,
  },
  wallet: {
    merchant_id: `size_id('merchant', 1 + i / 4)`,
    currency: walletCurrency,
    wallet_type: `'SPENDABLE'`,
    is_default: 'true',
    idempotency_key: `'key' || i`,
  },
  connection: {
    id: `'c' || i`,
    merchant_id: `case when i > 1 then size_id('merchant', i) end`,
    method: `case when i = 1 then 'CRYPTO' else 'PIX' end`,
    provider: `'x'`,
    settings: `case when i = 1 then '{"chain":"bsc"}' else '{}' end::jsonb`,
    changed_at: 'size_at(i, n)',
  },
  payment: {
    idempotency_key: `'key' || i`,
    status: `case when rare then 'FAILED' else 'PAID' end`,
    methods: `array[case when rare then 'PARTNER_PAY' else 'PIX' end]`,
    method: `case when rare then 'PARTNER_PAY' else 'PIX' end`,
    page_token: `'token' || i`,
    page_url: `'url'`,
    amount_minor: 'case when rare then 777 else 100 end',
    request: `case when rare then '{"customerEmail":"rare@example.com","customerTaxId":"52998224725","metadata":{"x":"rare"}}'
                   else '{"customerEmail":"ana@example.com","customerTaxId":"39053344705","metadata":{"x":"x"}}' end::json`,
    exceptions: `case when rare then '{LATE}' when i % 50 = 0 then '{OVERPAID}' else '{}' end::text[]`,
    received_minor: '100',
  },
  attempt: { artifacts: `'{}'` },
  rehearsal: {
    status: `case when i = n then 'RUNNING' else 'PASSED' end`,
    ended_at: `case when i < n then size_at(i, n) end`,
  },
  receipt: {
    provider_ref: `case when i % 50 = 0 then '0x' || lpad(to_hex(i), 64, '0') || ':1' else 'ref' || i end`,
    evidence: `'{"value":"1"}'::bytea`,
    ordinal: '1',
    pending_ref: `'pending' || i`,
    attempt_id: `size_id('attempt', i)`,
  },
  inbox: { parked: 'i % 10 = 0' },
  event: { type: `'payment.completed'`, body: `'{}'`, batch: 'i' },
  event_counter: { merchant_id: `size_id('merchant', i)` },
  // The large merchant has as many chunks as its last calls can have, of one call each.
  request_count: { merchant_id: `size_id('merchant', i)`, written: `10000` },
  request_chunk: {
    merchant_id: `size_id('merchant', case when i <= 10000 then 1 else i / 100 end)`,
    last_number: 'i',
    calls: '1',
    first_at: 'size_at(i, n)',
    last_at: 'size_at(i, n)',
    base_ms: `(extract(epoch from size_at(i, n)) * 1000)::bigint`,
    key_ids: `array[size_id('api_key', i)]`,
    lines: `concat_ws(E'\\t', 0, 1, 'GET', 200, '', 1, 'r' || i, '/v1/me')`,
  },
  delivery: { url: `'https://x' || i % 100`, origin: `'https://x' || i % 100`, status: `'DELIVERED'` },
  delivery_due: {
    origin: `case when i % 2 = 0 then 'https://x' || i % 100 else 'endpoint:' || size_id('webhook_endpoint', 1 + i % 50) end`,
  },
  // A hundred that work, and very many that were deleted.
  webhook_endpoint: {
    status: `case when i <= 100 then 'ENABLED' else 'DELETED' end`,
    deleted_at: 'case when i > 100 then size_at(i, n) end',
    is_cleared: 'i > 100',
    idempotency_key: `'key' || i`,
    fingerprint: 'size_bytes(i, 32)',
  },
  webhook_endpoint_failing: { endpoint_id: `size_id('webhook_endpoint', i)`, disable_at: 'size_at(i, n)' },
  webhook_recovery: {
    status: `case when rare then 'RUNNING' else 'DONE' end`,
    ended_at: 'case when rare then null else size_at(i, n) end',
    endpoint_id: `size_id('webhook_endpoint', i)`,
    reached_sequence: '1',
    through_sequence: 'n',
  },
  delivery_attempt: { response_status: '200' },
  chain: {
    key: `'bsc'`,
    chain_id: '56',
    factory: 'size_bytes(1, 20)',
    token: 'size_bytes(2, 20)',
    treasury: 'size_bytes(3, 20)',
    number: 'n',
    final_number: 'n',
    hash: 'size_bytes(1, 32)',
    final_hash: 'size_bytes(1, 32)',
  },
  deposit_address: { received: '10', held: 'case when rare then 10 else 0 end' },
  chain_transfer: {
    block_hash: 'size_bytes(i, 32)',
    tx_hash: 'size_bytes(i, 32)',
    block_number: 'i',
    log_index: '1',
    ordinal: '1',
    state: `case when i > n - 3 then 'SEEN' else 'FINAL' end`,
  },
  stray: { token: 'size_bytes(i, 20)' },
  // Most keys are of other merchants, and due.
  metadata_key: {
    merchant_id: `size_id('merchant', case when i <= 10 then 1 else 1 + i / 10 end)`,
    resource: `'PAYMENT'`,
    name: `'x' || i`,
    status: `case when i <= 5 then 'READY' else 'FILLING' end`,
    connection: `'c' || 1 + i % 50`,
    takes: '1',
  },
  metadata_value: {
    key_id: '1',
    value_hash: `hashtext(case when rare then 'rare' else 'x' end)`,
    record_id: `size_id('payment', i)`,
  },
  refund: {
    paid_ref: `'ref' || i`,
    amount_minor: 'case when rare then 777 else 1 end',
    tx_hash: `case when i % 50 = 7 then '0x' || i end`,
    status: `case when rare then 'FAILED' else 'COMPLETED' end`,
    idempotency_key: `'key' || i`,
  },
  dispute: {
    paid_ref: `'ref' || i`,
    kind: `'MED'`,
    status: `case when rare then 'OPEN' else 'LOST' end`,
  },
  unmatched: { reason: `'no_attempt'` },
  reconciliation: { connection: `'c' || i`, look: `'short'` },
  own_transfer: {
    from_wallet_id: `size_id('wallet', case when rare then 9 else 1 end)`,
    to_wallet_id: `size_id('wallet', 5)`,
  },
  tally: { account_id: '1', transfer: 'i', kind: `'paid'` },
  withdrawal: {
    type: `case when rare then 'CRYPTO' else 'PIX' end`,
    status: `case when rare then 'PENDING_APPROVAL' else 'COMPLETED' end`,
    idempotency_key: `'key' || i`,
    returned_minor: '0',
    amount_minor: 'case when rare then 777 else 1 end',
    destination: `json_build_object('text', case when rare then 'rare@example.com' else 'ana@example.com' end)`,
    end_to_end_id: `'e2e' || i`,
    tx_hash: `'hash' || i`,
    batch_id: `size_id('withdrawal_batch', 1 + i / 1000)`,
    batch_place: 'i % 1000',
  },
  payout_schedule: {
    idempotency_key: `'key' || i`,
    status: `case when i % 100 = 1 then 'ACTIVE' else 'ENDED' end`,
    next_run_at: `case when i % 100 = 1 then size_at(i, n) end`,
    rule: `'{}'`,
    request: `'{}'`,
  },
  withdrawal_batch: { idempotency_key: `'key' || i`, count: '1000' },
  hot_wallet: {
    address: 'size_bytes(i, 20)',
    purpose: `(array['hot', 'gas', 'treasury'])[i]`,
  },
  coin_place: { address: 'size_bytes(i, 20)', place: `case when i = 1 then 'hot' else 'treasury' end` },
  chain_tx: {
    purpose: payout,
    subject: `size_id('withdrawal', i)`,
    target: 'size_bytes(2, 20)',
    recipient: 'size_bytes(i, 20)',
    units: '10',
    state: `case when i > n - 10 then 'QUEUED' when i > n - 20 then 'MINED' when i % 2 = 0 then 'FAILED' else 'FINAL' end`,
    wallet: `case when i <= n - 10 then size_bytes(1, 20) end`,
    nonce: `case when i <= n - 10 then i end`,
    tx_hash: `case when i <= n - 10 then size_bytes(i, 32) end`,
    final_at: `case when i <= n - 20 then size_at(i, n) end`,
    units_booked: 'i % 2 = 1',
    block_number: `case when i <= n - 10 then i end`,
    gas_gwei: `case when i <= n - 20 then 1 end`,
    gas_booked: 'true',
  },
  chain_tx_attempt: { hash: 'size_bytes(i, 32)' },
  coin_move: {
    block_hash: 'size_bytes(i, 32)',
    tx_hash: 'size_bytes(i, 32)',
    log_index: '1',
    block_number: 'i',
    sender: 'size_bytes(i, 20)',
    recipient: 'size_bytes(3, 20)',
    state: `case when i > n - 3 then 'SEEN' else 'FINAL' end`,
    booked_as: `case when i > n - 6 then null when rare then 'FOUND' else 'SWEPT' end`,
    minor: `case when i > n - 6 then null else 1 end`,
    booked_at: `case when i > n - 6 then null else size_at(i, n) end`,
  },
  coin_claim: { confirmed_by: `'b'`, confirmed_at: 'size_at(i, n)', proposed_by: `'a'` },
  sweep: {
    due_at: 'null',
    tx: `case when i <= 20 then size_id('chain_tx', i) end`,
    fails: `case when i <= 20 then 0 else 1 end`,
  },
  gas_fill: { wallet: 'size_bytes(2, 20)' },
  refill: { ended_at: 'size_at(i, n)' },
  rescue: { token: 'size_bytes(i, 20)' },
  release: {
    ordinal: '1',
    released_at: `case when rare then null else size_at(i, n) end`,
    released_minor: `case when rare then null else 1 end`,
    minor: '1',
  },
  authorisation_order: {
    kind: `'VOID'`,
    amount_minor: 'null',
    ended_at: `case when rare then null else size_at(i, n) end`,
  },
  clock_advance: {
    idempotency_key: `'key' || i`,
    status: `case when rare then 'ADVANCING' else 'DONE' end`,
    ended_at: `case when rare then null else size_at(i, n) end`,
    due_at: `case when rare then size_at(i, n) end`,
    // Everything is moved, so that its end can be written.
    moved_ms: '1',
  },
  clock_step: { is_told: 'not rare' },
  callback_event: { event_id: `'event' || i` },
  head: { cell: `'a1'`, batch: 'n', transfer: 'n', account: 'n' },
  batch: { transfer_from: 'i - 1', transfer_to: 'i', account_from: 'i - 1', account_to: 'i' },
  account: {
    id: 'i',
    name: `case when i = 3 then 'provider:c2:BRL' when i = 4 then 'suspense:c2:BRL' when i = 5 then 'coins:bsc:USDT:deposit'
                when i = 6 then 'receivable:' || size_id('merchant', 1) || ':BRL'
                else 'wallet:' || size_id('wallet', i) || ':available' end`,
    currency: accountCurrency,
    side: `'CREDIT'`,
  },
  balance: { account_id: 'i', minor: '100', currency: accountCurrency },
  transfer: {
    subject: `size_id('payment', i)`,
    step: `'final'`,
    kind: `'paid'`,
    debit: '3',
    credit: '1',
  },
  entry: { account_id: 'case when i % 10 = 0 then 10 + i / 10 % 1000 else 1 end', transfer: 'i' },
  audit_log: { actor_kind: `'OPERATOR'`, subject: `'refund:' || size_id('refund', i)` },
}

/** How many rows of a table correspond to this number of the big ones. */
function rowsOf(table: string, size: number): number {
  if (table === 'merchant') return Math.ceil(size / 4) + 1_002
  if (table === 'coin_claim') return size / 2
  if (
    [
      'fee_rule',
      'template',
      'template_revision',
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
  if (type.startsWith('json')) return `'{}'::${type}`
  if (type.endsWith('[]')) return `'{}'::${type}`
  if (type === 'text') return `'x'`
  return '1'
}
