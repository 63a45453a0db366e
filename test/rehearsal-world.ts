// A site with a worker of rehearsals, for tests of them over HTTP.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { given } from '#/kernel/given.ts'
import { isUuid } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { caseNames, type CaseName } from '#/rehearsals/case-texts.ts'
import { createRehearser, type Rehearser } from '#/rehearsals/run.ts'
import type { GuardPolicy } from '#/webhooks/guard.ts'
import { assertDocumented } from './contract/document.ts'
import { openApiWorld, type Answer, type ApiWorld, type Tenant } from './contract/world.ts'
import { eventually } from './eventually.ts'
import type { Shop } from './rehearsal-shop.ts'

export type Row = Readonly<Record<string, unknown>>

export const rehearsalPath = '/v1/sandbox/rehearsals'
/** The webhook secret of every merchant here. */
export const secret = randomBytes(24)

export type RehearsalWorld = Awaited<ReturnType<typeof openRehearsalWorld>>

export async function openRehearsalWorld() {
  const base = await openApiWorld()
  const stopping = new AbortController()
  const rehearser = rehearserOf(base)
  const running = rehearser.run(stopping.signal)
  const api = await base.openApi({ onRehearsal: () => rehearser.wake() })

  /** A call, compared with openapi.json. */
  async function ask(tenant: Tenant, method: string, under = '', body?: Row): Promise<Answer> {
    const answer = await api.ask(method, rehearsalPath + under, {
      key: tenant.key,
      ...given({ body }),
    })
    const [, id = ''] = under.split('/')
    const template = (rehearsalPath + under).replace(isUuid(id) ? id : '\0', '{id}').replace(/\?.*/, '')
    assertDocumented(method, template, answer)
    return answer
  }

  async function ended(tenant: Tenant, started: Answer): Promise<Row> {
    assert.equal(started.status, 202, started.text)
    let last: Row = started.body
    await eventually('the rehearsal ended', async () => {
      last = (await ask(tenant, 'GET', `/${String(started.body['id'])}`)).body
      return last['status'] !== 'RUNNING'
    })
    return last
  }

  const stop = async () => {
    stopping.abort()
    await running
  }
  return {
    base,
    api,
    ask,
    ended,
    stop,
    openRehearser: (policy?: GuardPolicy) => rehearserOf(base, policy),
    /** A rehearsal to its end, of a merchant of its own. */
    async rehearse({ url, stateUrl }: Pick<Shop, 'url' | 'stateUrl'>, more: Row = {}): Promise<Row> {
      const tenant = await base.openTenant()
      return ended(tenant, await ask(tenant, 'POST', '', { url, stateUrl, ...more }))
    },
    async close() {
      await stop()
      await base.close()
    },
  }
}

/** A worker. Answers may take two seconds here, and effects half a second. */
export function rehearserOf(
  { sql }: Pick<ApiWorld, 'sql'>,
  policy: GuardPolicy = { allowHttp: true, allowLoopback: true },
): Rehearser {
  return createRehearser({
    sql,
    clock: systemClock,
    log: silentLog,
    secretsOf: async () => [secret],
    sending: { policy, totalMs: 2_000 },
    pace: { settleMs: 500, pauseMs: 30 },
  })
}

export const casesOf = (rehearsal: Row) => rehearsal['cases'] as readonly Row[]
export const statusesOf = (rehearsal: Row) =>
  Object.fromEntries(casesOf(rehearsal).map((each) => [String(each['case']), each['status']]))
/** This status of every case, with exceptions. */
export const all = (status: string, but: Readonly<Partial<Record<CaseName, string>>> = {}) => ({
  ...Object.fromEntries(caseNames.map((name) => [name, status])),
  ...but,
})
