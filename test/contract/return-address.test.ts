// The addresses of the shop to which a payer's page leads: what every door accepts, and which of them the page uses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageTemplateOf } from '#/checkout/template.ts'
import type { Mode } from '#/kernel/mode.ts'
import { checkTemplate } from '#/templates/check.ts'
import { defaultRevision } from '#/templates/template.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { now, stateOf, usual } from '../payer-page.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())

type Party = { readonly key: string; readonly mode: Mode }
type Door = readonly [name: string, accepts: (party: Party, url: string) => Promise<boolean>]

/** Each door, and whether it accepts the address: an API call or a template. */
const doors: readonly Door[] = [
  ['a payment, after it', ({ key }, returnUrl) => posts('/v1/payments', key, paymentBody({ returnUrl }))],
  ['a payment, before it', ({ key }, cancelUrl) => posts('/v1/payments', key, paymentBody({ cancelUrl }))],
  ['a link', ({ key }, returnUrl) => posts('/v1/payment-links', key, { ...link, returnUrl })],
  [
    'the setting',
    async ({ key }, returnUrl) =>
      (await api.ask('PUT', '/v1/settings', { key, body: { returnUrl } })).status === 200,
  ],
  ['a template', async ({ mode }, success) => checkTemplate({ name: 'Shop', urls: { success } }, mode).ok],
]

const link = { name: 'Coffee', amount: 1_000, currency: 'USDT' }
let made = 0

async function posts(path: string, key: string, body: object): Promise<boolean> {
  const idempotencyKey = `return-${++made}`
  const { status } = await api.ask('POST', path, { key, body: { ...body, idempotencyKey } })
  return status === 201
}

test('every door accepts the same addresses: https, and plain http to this machine in a sandbox', async () => {
  const sandbox = { ...(await world.openTenant()), mode: 'SANDBOX' } as const
  const live = { ...(await world.openTenant('LIVE')), mode: 'LIVE' } as const
  for (const [url, fitsSandbox, fitsLive] of [
    ['https://shop.example.com/thanks?a=1', true, true],
    ['http://127.0.0.1:8080/thanks', true, false],
    ['http://shop.example.com/thanks', false, false],
    ['https://ana:secret@shop.example.com/', false, false],
    ['https://shop.example.com/a b', false, false],
    ['javascript:alert(1)', false, false],
    ['/thanks', false, false],
  ] as const) {
    for (const [door, accepts] of doors) {
      assert.equal(await accepts(sandbox, url), fitsSandbox, `${door} of a sandbox: ${url}`)
      assert.equal(await accepts(live, url), fitsLive, `${door}, live: ${url}`)
    }
  }
})

test('a merchant sets, reads and removes its own return address; another merchant has none of it', async () => {
  const [tenant, other] = [await world.openTenant(), await world.openTenant()]
  const change = (body: object) => api.ask('PUT', '/v1/settings', { key: tenant.key, body })
  const read = async (key: string) => {
    const answer = await api.ask('GET', '/v1/settings', { key })
    assertDocumented('GET', '/v1/settings', answer)
    return answer.body
  }
  const returnUrl = 'https://shop.example.com/thanks'
  assert.deepEqual(await read(tenant.key), {})
  const changed = await change({ returnUrl })
  assertDocumented('PUT', '/v1/settings', changed)
  assert.deepEqual(changed.body, { returnUrl })
  assert.deepEqual([await read(tenant.key), await read(other.key)], [{ returnUrl }, {}])
  assert.deepEqual((await change({})).body, {})
  assert.deepEqual(await read(tenant.key), {})
})

test('the page leads to the address of the payment, else of its template, else of the merchant, for every method', () => {
  const { document } = defaultRevision
  const paid = { status: 'PAID', receivedMinor: 1_000n, paidAt: now } as const
  const [own, ofTemplate, ofMerchant] = ['own', 'template', 'merchant'].map(
    (name) => `https://${name}.example/`,
  ) as [string, string, string]
  const backOf = (given: {
    readonly own?: string
    readonly ofTemplate?: string
    readonly ofMerchant?: string
  }) =>
    document.methods.map(({ method }) => {
      const urls = given.ofTemplate === undefined ? {} : { success: given.ofTemplate }
      const template = pageTemplateOf(
        { ...defaultRevision, document: { ...document, urls } },
        { name: 'Shop', returnUrl: given.ofMerchant ?? null },
      )
      const request = { ...usual.request, ...(given.own === undefined ? {} : { returnUrl: given.own }) }
      return stateOf({ ...paid, request, method, methods: [method] }, { template }).back
    })
  const everywhere = (url: string) => document.methods.map(() => `${url}?paymentId=${usual.id}`)
  const urlsOf = (given: Parameters<typeof backOf>[0]) => backOf(given).map((back) => back?.url)
  assert.deepEqual(urlsOf({ own, ofTemplate, ofMerchant }), everywhere(own))
  assert.deepEqual(urlsOf({ ofTemplate, ofMerchant }), everywhere(ofTemplate))
  assert.deepEqual(urlsOf({ ofMerchant }), everywhere(ofMerchant))
  assert.deepEqual(
    backOf({ ofMerchant }).map((back) => back?.afterSeconds),
    document.methods.map(() => 5),
  )
  assert.ok(backOf({}).every((back) => back === undefined))
})
