// The preview of a template: the payer's page as the checkout makes it, in a frame of the dashboard alone, and inert.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pageTemplateOf } from '#/checkout/template.ts'
import type { CheckoutView } from '#/checkout/view.ts'
import { previewStates } from '#/dashboard/preview/example.ts'
import type { ContrastWarning } from '#/dashboard/template-contrast.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { locales } from '#/kernel/language.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Payment } from '#/payments/payment.ts'
import { methods } from '#/rails/methods.ts'
import { checkTemplate } from '#/templates/check.ts'
import { defaultDocument } from '#/templates/template.ts'
import { loadWeb } from '../browser/view-server.ts'
import { openCheckoutWorld } from '../checkout-world.ts'
import { evilTexts, everyField, placed, strictPlaces, textPlaces } from '../template-fuzz.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

let view: CheckoutView
let dashboard: DashboardWorld
let merchantId: MerchantId
let viewer: Person
before(async () => {
  view = await loadWeb()
  dashboard = await openDashboardWorld({ view })
  ;({ id: merchantId } = await dashboard.base.openTenant())
  viewer = await dashboard.person([{ merchantId, role: 'VIEWER' }])
})
after(() => dashboard.close())

type Wanted = Readonly<Record<string, string>>

/** What the frame gets, when the dashboard's own page posts the form. */
async function preview(
  document: unknown,
  wanted: Wanted = {},
  headers: Readonly<Record<string, string>> = { ...dashboard.ownPage, cookie: viewer.cookie },
  id = merchantId,
): Promise<{ readonly status: number; readonly headers: Headers; readonly html: string }> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const response = await fetch(`http://127.0.0.1:${dashboard.port}/preview/${id}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ document: text, ...wanted }),
  })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** The elements of the page's content, with the names of their classes: what it is built of, without its texts and addresses. */
function structureOf(html: string): readonly string[] {
  const content =
    html.slice(html.indexOf('<div id="page">'), html.indexOf('</body>')).split('<script')[0] ?? ''
  return [...content.matchAll(/<(\/?[a-z][a-z0-9]*)((?:\s[^<>]*)?)>/g)].map(([, tag, attributes = '']) => {
    const [, names = ''] = /\sclass="([^"]*)"/.exec(attributes) ?? []
    return `${tag} ${names}`.trim()
  })
}

/** Nothing that runs, and nothing that is fetched from elsewhere. */
function assertInert(html: string, name: string): void {
  assert.doesNotMatch(html, /<script|<style|<object|<embed|<svg[^>]*\son|\sstyle=/i, name)
  assert.doesNotMatch(html, /<[^<>]*\son\w+\s*=/i, name)
  for (const [, address = ''] of html.matchAll(/<(?:link|img|iframe)\b[^<>]*?\s(?:href|src)="([^"]*)"/g))
    assert.match(
      address,
      /^(?:\/preview\/[\w./?&;=-]+|data:image\/(?:png|jpeg|webp);base64,[\w+/=]*|data:,)$/,
      name,
    )
  for (const [, address = ''] of html.matchAll(/<a\b[^<>]*?\shref="([^"]*)"/g))
    assert.match(address, /^(?:https?:|mailto:|ethereum:|\/c\/preview)/, name)
}

test('every state of every method in every language and theme is a page of the checkout, inert', async () => {
  const pages = new Set<string>()
  for (const state of previewStates)
    for (const method of methods)
      for (const language of locales) {
        const theme = language === 'en' ? 'dark' : 'light'
        const name = `${state} ${method} ${language}`
        const { status, headers, html } = await preview(defaultDocument, { state, method, language, theme })
        assert.equal(status, 200, name)
        assert.match(headers.get('content-type') ?? '', /^text\/html/)
        assert.ok(
          html.startsWith(`<!doctype html><html lang="${language}" dir="ltr" data-theme="${theme}">`),
          name,
        )
        const step = /data-step="(\w+)"/.exec(html)?.[1]
        assert.equal(step, state === 'fields' ? 'choose' : state, name)
        assert.doesNotMatch(html, /undefined|\[object|NaN|Invalid Date/, name)
        assertInert(html, name)
        pages.add(html)
      }
  assert.ok(pages.size > 100, `${pages.size} different pages`)
})

test('the preview has the structure that the checkout sends for a real payment in the same state', async () => {
  const draft = {
    ...everyField,
    languages: { default: 'en', enabled: ['pt-BR', 'en'] },
    fields: { email: 'required' },
  }
  const checked = checkTemplate(draft, 'SANDBOX')
  assert.ok(checked.ok)
  await using world = await openCheckoutWorld({ view })
  world.template = pageTemplateOf({ slug: 'x', number: 1, ...checked }, { name: 'A shop' })
  const money = { amountMinor: 12_490n, currency: 'USDT' } as const
  const items = [
    { name: 'One', quantity: 2, amount: 4_996 },
    { name: 'Two', quantity: 1, amount: 2_498 },
  ]
  const usual: Partial<Payment> = {
    ...money,
    methods: ['CRYPTO'],
    request: { amount: 12_490, currency: 'USDT', checkout: 'x', description: 'Order', items },
  }
  const at = new Date(world.clock.now().getTime() + 24 * hourMs)
  const hash = `0x${'ab'.repeat(32)}`
  const coins = (amount: bigint) => ({
    txHash: hash,
    amount: String(amount * 10n ** 16n),
    confirmations: 3,
    final: true,
  })
  const cases: readonly (readonly [string, Partial<Payment> & { readonly isUnchosen?: true }, bigint?])[] = [
    ['choose', { ...usual, isUnchosen: true, expiresAt: at }],
    ['waiting', { ...usual, method: 'CRYPTO', expiresAt: at }],
    [
      'paid',
      { ...usual, method: 'CRYPTO', status: 'PAID', receivedMinor: 12_490n, paidAt: at, completingTx: hash },
      12_490n,
    ],
    [
      'underpaid',
      { ...usual, method: 'CRYPTO', receivedMinor: 7_494n, exceptions: ['UNDERPAID'], expiresAt: at },
      7_494n,
    ],
    ['expired', { ...usual, method: 'CRYPTO', status: 'EXPIRED' }],
    ['canceled', { ...usual, method: 'CRYPTO', status: 'CANCELED' }],
  ]
  for (const [state, payment, arrived] of cases) {
    world.providers.deposits.splice(0)
    if (arrived !== undefined) world.providers.deposits.push(coins(arrived))
    const real = await (await world.get(`${world.path(await world.newPayment(payment))}?lang=en`)).text()
    const { html } = await preview(draft, { state, method: 'CRYPTO', language: 'en', theme: 'light' })
    assert.deepEqual(structureOf(html), structureOf(real), state)
    assert.ok(structureOf(real).length > 20, state)
  }
})

test('the design is the draft’s, and what the draft does not offer is not shown', async () => {
  const draft = {
    ...everyField,
    languages: { default: 'pt-BR', enabled: ['pt-BR'] },
    brand: { ...everyField.brand, theme: 'dark', colors: { accent: '#00c2a8' }, radius: 3, font: 'mono' },
    methods: [{ method: 'PIX' }],
  }
  const { html } = await preview(draft, {
    state: 'waiting',
    method: 'CRYPTO',
    language: 'es',
    theme: 'light',
  })
  assert.match(html, /<html lang="pt-BR" dir="ltr" data-theme="dark">/)
  assert.match(html, /class="panel pix"/)
  const [, sheet = ''] = /href="(\/preview\/t\/[^"]+)"/.exec(html) ?? []
  const style = await dashboard.ask('GET', sheet, { headers: dashboard.ownPage })
  assert.match(style.text, /--accent: #00c2a8;/)
  assert.match(style.text, /--radius: 3px/)
  assert.match(style.text, /color-scheme: dark/)
  assert.ok(html.includes('Padaria da Ana'))
  assert.ok(html.includes(everyField.brand.logo))
  for (const [, address = ''] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
    const file = await dashboard.ask('GET', address, { headers: dashboard.ownPage })
    assert.equal(file.status, 200, address)
    assert.match(file.headers.get('content-type') ?? '', /^text\/css/)
  }
})

test('the frame’s policy lets nothing run, call, post or leave, and only the dashboard may frame it', async () => {
  const { headers } = await preview(defaultDocument, { state: 'waiting', method: 'CREDIT_CARD' })
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ])
    assert.ok(policy.split('; ').includes(rule), rule)
  assert.equal(headers.get('cache-control'), 'no-store')
  await using world = await openCheckoutWorld({ view })
  const payers = await world.get(world.path(await world.newPayment()))
  assert.match(payers.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
})

test('it is for members who may read templates, from the dashboard’s own pages', async () => {
  const cookie = viewer.cookie
  const { origin } = dashboard
  const other = await dashboard.base.openTenant()
  const own = { ...dashboard.ownPage, cookie }
  assert.equal((await preview(defaultDocument, {}, own, other.id)).status, 404)
  assert.equal((await preview(defaultDocument, {}, own, newId())).status, 404)
  assert.equal((await preview(defaultDocument, {}, dashboard.ownPage)).status, 401)
  for (const headers of [
    { cookie },
    { cookie, origin },
    { cookie, 'sec-fetch-site': 'same-origin' },
    { cookie, 'sec-fetch-site': 'same-site', origin },
    { cookie, 'sec-fetch-site': 'same-origin', origin: 'http://localhost:1' },
  ])
    assert.equal((await preview(defaultDocument, {}, headers)).status, 403, JSON.stringify(headers))
  const asJson = await viewer.ask('POST', `/preview/${merchantId}`, {})
  assert.equal(asJson.status, 415, asJson.text)
})

test('an invalid draft says what is wrong beside the name of the field', async () => {
  const { status, html, headers } = await preview(
    { ...everyField, brand: { radius: 500 } },
    { language: 'pt-BR' },
  )
  assert.equal(status, 200)
  assert.match(html, /<dt>brand\.radius<\/dt><dd>[^<]*24[^<]*<\/dd>/)
  assert.match(html, /<html lang="pt-BR"/)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
  const limits = await preview({
    name: 'x',
    methods: [{ method: 'PIX', limits: { BRL: { min: 2, max: 1 } } }],
  })
  assert.match(limits.html, /<dt>methods\[0\]\.limits\.BRL<\/dt>/)
  for (const text of ['', '{', '[]', 'null', '{"name":"a","name":"b"}'])
    assert.match((await preview(text)).html, /class="faults"/, text)
})

test('nothing that a person can type breaks out of the page', async () => {
  for (const value of evilTexts) {
    for (const place of strictPlaces) {
      const { html, status } = await preview(placed(everyField, place, value), { state: 'paid' })
      assert.equal(status, 200)
      assert.match(html, /class="faults"/, `${place.join('/')} ${value}`)
      assertInert(html, `${place.join('/')} ${value}`)
    }
    for (const place of textPlaces) {
      const draft = placed(everyField, place, value)
      for (const state of ['choose', 'waiting', 'paid']) {
        const { html } = await preview(draft, { state, language: 'pt-BR' })
        assertInert(html, `${place.join('/')} ${value}`)
        assert.ok(!html.includes('<img src=x') && !html.includes('<script'), `${place.join('/')} ${value}`)
      }
    }
  }
  const named = await preview({ '</dt><script>alert(1)</script>': 1, name: 'x' })
  assertInert(named.html, 'a field’s name')
  assert.match(named.html, /&lt;script&gt;/)
})

test('a draft’s check warns where its colour is hard to see, and names the shade that the page shows there', async () => {
  const check = async (brand: object) => {
    const { body, text } = await viewer.ask('POST', `/api/m/${merchantId}/templates/check`, {
      name: 'x',
      brand,
    })
    assert.ok(Array.isArray(body['warnings']), text)
    const warnings = body['warnings'] as readonly ContrastWarning[]
    return warnings.map(({ code, scheme, ratio, needed, shade }) => {
      assert.ok(ratio < needed)
      assert.match(shade, /^#[0-9a-f]{6}$/)
      return [code, scheme]
    })
  }
  assert.deepEqual(await check({}), [])
  assert.deepEqual(await check({ colors: { accent: '#ffee88' } }), [['edge_contrast', 'light']])
  assert.deepEqual(await check({ colors: { accent: '#201030' } }), [['edge_contrast', 'dark']])
  assert.deepEqual(await check({ theme: 'light', colors: { accent: '#201030' } }), [])
  assert.deepEqual(await check({ theme: 'light', colors: { accent: '#e0701a' } }), [
    ['text_contrast', 'light'],
  ])
  assert.deepEqual(await check({ colors: { accent: 'red; }' } }), [])
})

test('a test payment of a template is created by one call, which answers the payer’s page', async () => {
  const { id } = await dashboard.base.openTenant()
  const developer = await dashboard.person([{ merchantId: id, role: 'DEVELOPER' }])
  const below = (path: string) => `/api/m/${id}/${path}`
  const made = await developer.ask(
    'POST',
    below('payments'),
    { amount: 1_000, currency: 'USDT', checkout: 'default' },
    { 'idempotency-key': newId() },
  )
  assert.equal(made.status, 201, made.text)
  assert.match(String(made.body['checkoutUrl']), /^http.*\/c\/[\w-]+$/)
})
