// The API against random bodies and queries, generated from its own schemas.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '#/http/routes.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { anyCharacter } from '../any-character.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { fitting, searchOf, unfitting, type Json } from './arbitrary.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, type Answer, type Api, type ApiWorld, type Tenant } from './world.ts'

let base: ApiWorld
let api: Api
let tenant: Tenant
/** The id for the `{id}` of a path. */
let idOf: (path: string) => string

before(async () => {
  base = await openApiWorld()
  api = await base.openApi()
  tenant = await base.openTenant()
  const body = paymentBody({ webhookUrl: 'http://127.0.0.1:9/' })
  const created = await api.ask('POST', '/v1/payments', { key: tenant.key, body })
  const paymentId = String(created.body['id'])
  await base.settlePayment(tenant.id, paymentId as PaymentId, 1234n)
  const first = async (path: string) => {
    const answer = await api.ask('GET', path, { key: tenant.key })
    return String((answer.body['data'] as readonly Json[])[0]?.['id'])
  }
  const eventId = await first('/v1/events')
  const deliveryId = await first(`/v1/events/${eventId}/deliveries`)
  const walletId = await first('/v1/wallets')
  idOf = (path) =>
    path.includes('/deliveries/{')
      ? deliveryId
      : path.includes('/events/{')
        ? eventId
        : path.includes('/wallets/{')
          ? walletId
          : paymentId
})
after(() => base.close())

const numRuns = count({ quick: 8, soak: 5_000 })

const oddQuery = fc.dictionary(
  fc.oneof(fc.constantFrom('limit', 'cursor', 'from', 'after', 'kind'), fc.string()),
  fc.string({ unit: anyCharacter }),
  { maxKeys: 3 },
)

/** Fails unless a refusal is a proper problem of the caller's. */
function assertFault(answer: Answer, sent: string): void {
  assert.ok(
    answer.status >= 400 && answer.status < 500,
    `${answer.status} to ${sent.slice(0, 300)}: ${answer.text.slice(0, 300)}`,
  )
  assert.equal(answer.headers.get('content-type')?.split(';')[0], 'application/problem+json')
}

for (const each of routes) {
  const url = () => each.path.replace('{id}', idOf(each.path))
  const { body, query } = each

  if (body !== undefined) {
    test(`${each.operationId}: a body that fits is never our fault`, async () => {
      await fc.assert(
        fc.asyncProperty(fitting(body), async (value) => {
          const answer = await api.ask(each.method, url(), { key: tenant.key, body: value })
          assert.ok(answer.status < 500, `${answer.status} to ${JSON.stringify(value)}: ${answer.text}`)
          assertDocumented(each.method, each.path, answer)
        }),
        { numRuns },
      )
    })

    test(`${each.operationId}: a body that does not fit is refused as the caller's fault`, async () => {
      await fc.assert(
        fc.asyncProperty(unfitting(body), async (raw) => {
          // Where the body is optional, an empty one fits.
          if (raw === '' && each.bodyOptional === true) return
          const answer = await api.ask(each.method, url(), { key: tenant.key, raw })
          assertFault(answer, raw)
          assertDocumented(each.method, each.path, answer)
        }),
        { numRuns },
      )
    })

    test(`${each.operationId}: no bytes at all make it break`, async () => {
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => Buffer.from(text)),
      )
      await fc.assert(
        fc.asyncProperty(bytes, async (raw) => {
          const answer = await api.ask(each.method, url(), {
            key: tenant.key,
            raw: Buffer.from(raw),
          })
          assert.ok(answer.status < 500, `${answer.status} to ${Buffer.from(raw).toString('latin1')}`)
        }),
        { numRuns: Math.ceil(numRuns / 2) },
      )
    })
  }

  if (query !== undefined) {
    test(`${each.operationId}: no query makes it break`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(fitting(query) as fc.Arbitrary<Json>, oddQuery), async (fields) => {
          const search = searchOf(fields)
          const answer = await api.ask(each.method, `${url()}?${search}`, {
            key: tenant.key,
          })
          assert.ok(answer.status < 500, `${answer.status} to ${search}: ${answer.text}`)
          assertDocumented(each.method, each.path, answer)
        }),
        { numRuns },
      )
    })
  }
}
