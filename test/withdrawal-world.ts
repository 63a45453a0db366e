// Withdrawals over HTTP: a site, tenants with money, and a worker whose provider answers as the test chooses.
import { cutAt } from '#/audit/ledger.ts'
import { withdrawalInspections } from '#/audit/withdrawals.ts'
import { inspectAll } from '#/db/inspection.ts'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import type { Limit } from '#/money-out/limits.ts'
import { writeLimit } from '#/money-out/queries.ts'
import type { PayoutResult } from '#/rails/payout-rail.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { assertDocumented } from './contract/document.ts'
import { openApiWorld, withdrawalBody, type Answer, type ApiWorld, type Tenant } from './contract/world.ts'
import { testPayoutRails } from './payout-rail.ts'

export type Row = Readonly<Record<string, unknown>>

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld() {
  const base: ApiWorld = await openApiWorld()
  const api = await base.openApi()

  /** Calls one route, and compares the answer with the document. */
  async function ask(
    tenant: Pick<Tenant, 'key'>,
    method: string,
    path: string,
    more: {
      readonly id?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<Answer> {
    const { id = '', body, headers = {} } = more
    const answer = await api.ask(method, path.replace('{id}', id), {
      key: tenant.key,
      headers,
      ...given({ body }),
    })
    assertDocumented(method, path.split('?')[0] ?? path, answer)
    return answer
  }

  return {
    base,
    ask,
    create: (tenant: Pick<Tenant, 'key'>, more: Row = {}, headers = {}) =>
      ask(tenant, 'POST', '/v1/withdrawals', { body: withdrawalBody(more), headers }),
    read: async (tenant: Tenant, id: unknown) =>
      (await ask(tenant, 'GET', '/v1/withdrawals/{id}', { id: String(id) })).body,
    act: (tenant: Pick<Tenant, 'key'>, verb: 'cancel' | 'approve' | 'reject', id: unknown) =>
      ask(tenant, 'POST', `/v1/withdrawals/{id}/${verb}`, { id: String(id) }),
    async funded(minor = 1_000n): Promise<Tenant> {
      const tenant = await base.openTenant()
      await base.fund(tenant, minor)
      return tenant
    },
    async balanceOf(tenant: Tenant): Promise<Row> {
      const { body } = await ask(tenant, 'GET', '/v1/wallets/balance')
      const found = (body['data'] as Row[]).find((each) => each['currency'] === 'BRL')
      return { balance: found?.['balance'], held: found?.['heldBalance'] }
    },
    /** Types of the events of a withdrawal, in order. */
    async eventsOf(tenant: Tenant, id: unknown): Promise<readonly unknown[]> {
      const { body } = await api.ask('GET', '/v1/events?limit=100', { key: tenant.key })
      const ofWithdrawal = (body['data'] as Row[]).filter((each) => (each['data'] as Row)['id'] === id)
      return ofWithdrawal.map((each) => each['type'])
    },
    /** Sends these bytes, and compares the answer with the document. */
    async send(
      tenant: Pick<Tenant, 'key'>,
      method: string,
      path: string,
      raw: string | Buffer,
      headers: Readonly<Record<string, string>>,
    ): Promise<Answer> {
      const answer = await api.ask(method, path, { key: tenant.key, raw, headers })
      assertDocumented(method, path, answer)
      return answer
    },
    /** What the inspection of withdrawals finds, except about destinations and connections: there is no bank here. */
    async faults(): Promise<readonly string[]> {
      const upTo = await cutAt(base.sql, 'a1')
      const { faults } = await inspectAll(withdrawalInspections(new Map()), {
        sql: base.sql,
        cell: 'a1',
        upTo,
      })
      const found = faults.map(({ row, what }) => `${row}: ${what}`)
      return found.filter((each) => !/goes somewhere else|is at a connection/.test(each))
    },
    csv: (tenant: Tenant) => api.ask('GET', '/v1/wallets/statement?format=csv', { key: tenant.key }),
    /** A worker's round: everything that waits is sent or queried, with this answer of the provider. */
    async work(result: PayoutResult): Promise<void> {
      const rails = testPayoutRails(async () => result)
      const kind = payoutKind(rails)
      const { sql, lane } = base
      await sql`update withdrawal_due set due_at = now() - interval '1 second'`
      await sendDueWithdrawals({
        sql,
        rails,
        lane,
        decisionKind: decisionKind(rails),
        clock: systemClock,
        log: silentLog,
        settle: (withdrawal, news) => settlePayout({ lane, kind, log: silentLog }, withdrawal, news),
      })
    },
    close: () => base.close(),
    limit: (tenant: Tenant, more: Partial<Limit>): Promise<void> =>
      writeLimit(base.sql, {
        merchantId: tenant.id,
        type: 'PIX',
        currency: 'BRL',
        eachMinor: null,
        dayMinor: null,
        approvalAboveMinor: null,
        listedOnly: false,
        ...more,
      }),
  }
}

export const done: PayoutResult = {
  state: 'done',
  endToEndId: 'E1',
  providerRef: 'p1',
  evidence: Buffer.from('done'),
}
export const refused: PayoutResult = {
  state: 'refused',
  code: 'AC03',
  message: 'No.',
  evidence: Buffer.from('no'),
}

export const codeOf = ({ status, body }: Answer) => [status, body['code']]
