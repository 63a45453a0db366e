// The operator's console over one installation, with two operators who have a second factor.
import assert from 'node:assert/strict'
import { newId, type ConnectionId, type Id, type MerchantId } from '#/kernel/id.ts'
import { insertConnection } from '#/merchants/connection-queries.ts'
import { settleKind } from '#/settlement/settle.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

export type Row = Readonly<Record<string, unknown>>

export async function openOperators(options: Parameters<typeof openDashboardWorld>[0] = {}) {
  const dashboard = await openDashboardWorld(options)
  if (options.over === undefined)
    await insertConnection(dashboard.base.sql, {
      id: 'a1-test' as ConnectionId,
      merchantId: null,
      mode: 'SANDBOX',
      method: 'CRYPTO',
      provider: 'chain',
      settings: { chain: 'test' },
      sealed: null,
      sealedRefunds: null,
    })
  return { dashboard, ana: await newOperator(dashboard), bea: await newOperator(dashboard) }
}

async function newOperator(dashboard: DashboardWorld): Promise<Person> {
  const person = await dashboard.person([], { isOperator: true })
  await dashboard.enrol(person)
  return person
}

/** Calls the console, and fails unless it answers with this status. */
export async function ok(
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  status = 200,
): Promise<Row> {
  const answer = await person.ask(method, `/api/operator/${path}`, body)
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
  return answer.body
}

export async function refused(person: Person, path: string, body: unknown): Promise<readonly unknown[]> {
  const answer = await person.ask('POST', `/api/operator/${path}`, body)
  return [answer.status, answer.body['code']]
}

export const dataOf = (body: Row) => body['data'] as readonly Row[]

/** The rows of the log about this subject, oldest first, without what differs from run to run. */
export async function auditOf(person: Person, subject: string): Promise<readonly (readonly unknown[])[]> {
  const rows = dataOf(await ok(person, 'GET', `audit?subject=${encodeURIComponent(subject)}`))
  return rows
    .toReversed()
    .map((row) => [row['action'], row['actorKind'], row['actorId'], row['reason'] ?? null])
}

export async function newMerchant(person: Person, name = 'Padaria'): Promise<MerchantId> {
  const { id } = await ok(person, 'POST', 'merchants', { name, mode: 'SANDBOX' }, 201)
  return id as MerchantId
}

/** Money that fits no payment. */
export async function newStray({ base }: DashboardWorld, minor: bigint): Promise<Id<'unmatched'>> {
  const providerRef = `0x${newId()}:0`
  const receipt = {
    method: 'CRYPTO' as const,
    connection: 'a1-test' as ConnectionId,
    providerRef,
    outcome: 'paid' as const,
    occurrence: 1,
    amount: { minor, currency: 'USDT' as const },
    happenedAt: new Date(),
    evidence: Buffer.from(providerRef),
  }
  await base.lane.submit(settleKind(base.rails), { receipts: [receipt] })
  const [row] = await base.sql<{ id: Id<'unmatched'> }[]>`
    select id from unmatched where provider_ref = ${providerRef}`
  return row?.id ?? assert.fail('it fits nothing')
}

/** Whatever is LIVE makes an installation one with real money, although VINTEM_SANDBOX is on there. */
export async function makeLive({ base }: DashboardWorld): Promise<void> {
  await base.sql`
    insert into merchant (id, mode, name, webhook_secret, created_at)
    values (${newId()}, 'LIVE', 'Real', 'sealed', now())`
}
