// A small installation in which everything has happened once, and tools to tamper with it. A test makes one change at a time, as the owner
// of the tables and without triggers, and everything is restored afterwards.
import assert from 'node:assert/strict'
import type { ReportedFault } from '#/db/inspection.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, secondMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { isSoak } from './counts.ts'
import { eventually } from './eventually.ts'
import { cent, openLine, randomHash, type Line } from './line.ts'
import { startReceiver } from './receiver.ts'

/** A place to tamper with, of which copies were kept. */
export type Place = Pick<Line, 'owner' | 'verify'> & {
  /** The ids of the named records. */
  readonly ids: Readonly<Record<string, string>>
}

export type FilledWorld = Line & Place

const roles = [
  'exact',
  'under',
  'over',
  'late',
  'twice',
  'dust',
  'pending',
  'waiting',
  'expired',
  'canceled',
  'reorged',
  'final',
] as const
type Role = (typeof roles)[number]

/** Twelve payments, each in its own way; two thousandths of fee; webhooks sent, refused and waiting. */
export async function openFilledWorld(): Promise<FilledWorld> {
  const line = await openLine()
  await using receiver = await startReceiver(({ path }) => ({ status: path === '/ok' ? 200 : 500 }))
  await writeFeeRule(line.sql, {
    merchantId: line.merchant.id,
    method: 'CRYPTO',
    currency: 'USDT',
    fixedMinor: 1n,
    ratePpm: 2_000n,
  })
  // A payment pays by the rule of its creation: the rule has to be older.
  await line.clock.advance(hourMs)
  const made = new Map<Role, Payment>()
  for (const role of roles) {
    const webhookUrl = role === 'exact' ? `${receiver.origin}/ok` : `${receiver.origin}/${role}`
    made.set(role, await line.create({ metadata: { role }, ...(role === 'waiting' ? {} : { webhookUrl }) }))
  }
  const payment = (role: Role) => made.get(role) ?? assert.fail(role)
  const pay = async (role: Role, units: bigint) => ({ to: await line.addressOf(payment(role)), units })

  const wanderer = { ...(await pay('reorged', 1_000n * cent)), txHash: randomHash() }
  await line.mine([await pay('exact', 1_000n * cent), await pay('under', 400n * cent), wanderer])
  await line.settleAll()
  await line.unmine()
  await line.settleAll()
  await line.mine([await pay('exact', 1_000n * cent), await pay('under', 400n * cent)])
  await line.mine([wanderer, await pay('over', 1_200n * cent + 7n), await pay('dust', 3n)])
  await line.mine([
    await pay('twice', 1_000n * cent),
    await pay('twice', 1_000n * cent),
    await pay('dust', cent - 2n),
  ])
  await line.settleAll()
  await line.close(payment('late'), 'expired', { early: true })
  await line.close(payment('expired'), 'expired', { early: true })
  await line.close(payment('canceled'), 'canceled')
  await line.mine([await pay('late', 1_000n * cent), await pay('canceled', 100n * cent)], {
    at: addMs(line.clock.now(), hourMs),
  })
  await line.settleAll()
  await line.finalize()
  await line.settleAll()
  // Pending and not final; and final, with its signal still in the inbox.
  await line.mine([await pay('final', 1_000n * cent)])
  await line.settleAll()
  await line.finalize()
  await insertSignals(
    line.sql,
    line.drainSignals().map((signal) => ({ method: 'CRYPTO' as const, ...signal })),
    line.clock.now(),
  )
  await line.mine([await pay('pending', 500n * cent)])
  await line.settleAll()
  await deliver(line)

  const world: FilledWorld = {
    ...line,
    ids: Object.fromEntries(roles.map((role) => [role, payment(role).id])),
  }
  await keepCopies(world)
  return world
}

/** Tries each delivery once. */
async function deliver({ sql, clock }: Line): Promise<void> {
  const policy = { allowHttp: true, allowLoopback: true }
  await clock.advance(24 * hourMs)
  const deliverer = createDeliverer({
    sql,
    clock,
    log: silentLog,
    secretsOf: async () => [Buffer.alloc(24, 1)],
    openSecret: () => Buffer.alloc(24, 1),
    policy: { LIVE: policy, SANDBOX: policy },
    pollMs: 10,
  })
  const stopping = new AbortController()
  const running = deliverer.run(stopping.signal)
  await eventually('every delivery is tried', async () => {
    const [left] = await sql<{ count: bigint }[]>`
      select count(*) from delivery where not exists (select from delivery_attempt where delivery_id = delivery.id)`
    return left?.count === 0n
  })
  stopping.abort()
  await running
  await clock.advance(secondMs)
}

async function tablesOf({ owner }: Pick<Line, 'owner'>): Promise<readonly string[]> {
  const rows = await owner<{ name: string }[]>`
    select tablename as name from pg_tables
     where schemaname = current_schema() and tablename not in ('migration', 'migration_step', 'migrator') order by 1`
  return rows.map(({ name }) => name)
}

/** Keeps a copy of every table, for `assertFound`. */
export async function keepCopies(world: Pick<Place, 'owner'>): Promise<void> {
  const tables = await tablesOf(world)
  await world.owner.unsafe(
    `create schema kept; ${tables.map((table) => `create table kept.${table} as table ${table};`).join('')}`,
  )
}

/** The tables that a statement changes. */
function touchedBy(statement: string): readonly string[] {
  const changes = statement.matchAll(/\b(?:update|insert into|delete from) (\w+)/g)
  return [...new Set([...changes].map(([, table = '']) => table))]
}

/** Puts every table back as it was, or these alone; all of them when others refer to one of these. */
async function restore(world: Place, touched: readonly string[]): Promise<void> {
  const tables = touched.includes('merchant') ? await tablesOf(world) : touched
  const empty = touched.includes('merchant')
    ? `truncate ${tables.join(', ')} cascade`
    : tables.map((table) => `delete from ${table}`).join(';')
  await world.owner.unsafe(`begin;
    ${tables.map((table) => `alter table ${table} disable trigger user;`).join('')}
    ${empty};
    ${['merchant', ...tables.filter((table) => table !== 'merchant')]
      .filter((table) => tables.includes(table))
      .map((table) => `insert into ${table} overriding system value select * from kept.${table};`)
      .join('')}
    ${tables.map((table) => `alter table ${table} enable trigger user;`).join('')}
    commit`)
}

export type Tampering = {
  readonly name: string
  /** SQL, as the owner of the tables and with their triggers off. `{exact}` stands for the id of the record of that name. */
  readonly change: string
  /** The inspection that must find it, and its fault. */
  readonly found: Found
  /** Other inspections that must find it too. */
  readonly also?: readonly Found[]
}

type Found = readonly [inspection: string, row: RegExp, what: RegExp]

/** Makes the change, asserts that verify finds it, and puts everything back. */
export async function assertFound(world: Place, { change, found, also = [] }: Tampering): Promise<void> {
  const statement = change.replaceAll(
    /\{(\w+)\}/g,
    (_whole, name: string) => world.ids[name] ?? assert.fail(name),
  )
  const tables = touchedBy(statement)
  try {
    await world.owner.unsafe(`begin;
      ${tables.map((table) => `alter table ${table} disable trigger user;`).join('')}
      ${statement};
      ${tables.map((table) => `alter table ${table} enable trigger user;`).join('')}
      commit`)
    // The other inspections would only cost time: each fault is looked for where it must be found.
    const { faults } = await world.verify(isSoak ? undefined : [found, ...also].map(([name]) => name))
    for (const [inspection, row, what] of [found, ...also]) {
      const names = (fault: ReportedFault) =>
        fault.inspection === inspection && row.test(fault.row) && what.test(fault.what)
      assert.ok(
        faults.some(names),
        faults.length === 0 ? 'nothing was found' : `found only\n${faults.map(textOf).join('\n')}`,
      )
    }
  } finally {
    await world.owner.unsafe('rollback').catch(() => {})
    await restore(world, tables)
  }
}

export function textOf({ inspection, row, what }: ReportedFault): string {
  return `${inspection}: ${row} ${what}`
}

/** A UUID for rows that tamperings make up. */
export const nobody = newId()
