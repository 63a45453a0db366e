// Card numbers never reach us: the text that a payer types into the provider's form is searched for in all our data.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from '../journeys/installation.ts'
import { call } from '../journeys/merchant.ts'
import { sharedInstallation, talkative } from '../journeys/shared-installation.ts'
import { says } from './checkout-journey-world.ts'
import { codePattern, filesOf, findIn, numberPattern, record, rowsOf, shownIn } from './pay-traces.ts'
import { formIn, typeCard } from './pay-world.ts'
import { sharedBrowser } from './shared-browser.ts'

/** The last is no test number: the acquirer's simulator declines it. */
const typed = { good: '4242424242424242', declined: '4000000000000002', real: '4716258050958645' } as const
/** Sent to the API by mistake. */
const misplaced = '5391947462541234'
const code = { expiry: '11/37', cvc: '739' }
const secrets = [
  ...[...Object.values(typed), misplaced].map((digits) => ({ name: digits, pattern: numberPattern(digits) })),
  { name: 'the security code', pattern: codePattern({ month: '11', year: '37', cvc: code.cvc }) },
]
/** A text that does reach us, to prove that the search works. */
const marker = 'marker-7c0f5f2e'

let installation: Installation
let browser: Browser
before(async () => {
  ;[installation, browser] = await Promise.all([sharedInstallation(talkative), sharedBrowser()])
})

const grouped = (digits: string) => digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

test('the patterns find a number and a code in any notation, and nothing else', () => {
  const [{ pattern } = { pattern: /$^/ }] = secrets
  const bytes = Buffer.from(`"${typed.good}"`)
  for (const text of [
    typed.good,
    `number=${grouped(typed.good).replaceAll(' ', '+')}&x`,
    grouped(typed.good).replaceAll(' ', '%20'),
    grouped(typed.good).replaceAll(' ', '-'),
    bytes.toString('hex'),
    bytes.toString('base64'),
    Buffer.from(`{${bytes.toString()}}`).toString('base64'),
    Buffer.from(`{ ${grouped(typed.good)}}`).toString('base64'),
  ])
    assert.match(text, pattern)
  assert.doesNotMatch('4242 4242 4242 4241 card ending 4242', pattern)
  const security = codePattern({ month: '11', year: '37', cvc: code.cvc })
  for (const text of ['expiry=11%2F37&cvc=739', '{"cvc":"739","expiry":"11/2037"}', '1137 739'])
    assert.match(text, security)
  assert.doesNotMatch('{"expiry":"11/37"} and 7390', security)
})

test('what a payer types is in no request to us, no page, no line of the log, no file and no table', async () => {
  const { apiUrl, checkoutBaseUrl, partnerCheckoutBaseUrl, simulators } = installation.sandbox()
  const own = [apiUrl, checkoutBaseUrl, partnerCheckoutBaseUrl].map((url) => new URL(url).origin)
  const created = await call(installation.sandbox(), 'POST', '/v1/payments', {
    amount: 12_490,
    paymentMethods: ['CREDIT_CARD'],
    idempotencyKey: 'numbers',
    metadata: { marker },
  })
  const url = String(created.body['cardRedirectUrl'])
  const context = await browser.newContext({ locale: 'pt-BR' })
  const recording = await record(context)
  const page = await context.newPage()
  await page.goto(`${url}?note=${marker}`)
  const form = formIn(page)
  const enter = async (place: typeof form | typeof page, number: string) => {
    await typeCard(place, { number: grouped(number), ...code })
    await place.getByRole('button', { name: /^Pagar/ }).click()
  }
  await enter(form, typed.real)
  await form.getByRole('alert').getByText('Aqui só funcionam cartões de teste.').waitFor()
  await eventually('our side has the result', async () => {
    const { problem } = (await (await fetch(`${url}/state`)).json()) as PageState
    return problem !== undefined
  })
  const shown = [...(await shownIn(page, own))]
  // Now on the acquirer's own page, and back.
  await page.getByRole('button', { name: 'Abrir o formulário em outra página' }).click()
  await enter(page, typed.declined)
  await page.getByRole('alert').getByText('Seu banco recusou este cartão.').waitFor()
  await enter(page, typed.good)
  await says(page, 'Pagamento confirmado')
  shown.push(...(await shownIn(page, own)))
  await page.evaluate(
    `fetch(location.pathname + '/choose', { method: 'POST', body: new URLSearchParams({ word: '${marker}' }) })`,
  )
  const refused = await call(installation.sandbox(), 'POST', '/v1/payments', {
    amount: 1,
    paymentMethods: ['CREDIT_CARD'],
    idempotencyKey: 'misplaced',
    metadata: { card: grouped(misplaced) },
  })
  assert.match(JSON.stringify(refused.body), /card_number/)

  const sent = await recording.of(own)
  const files = await filesOf(installation)
  const rows = await rowsOf(installation)
  const output = { where: 'output', text: installation.output() }
  const traces = [...sent, ...shown, ...files, ...rows, output]
  for (const { name, pattern } of secrets) assert.deepEqual(findIn(traces, pattern), [], name)

  // The search finds what is there: in addresses and bodies, in pages, in tables, in files, in the output.
  const found = new RegExp(marker)
  assert.ok(
    findIn(sent, found).some((where) => where.startsWith('GET ')),
    'an address',
  )
  assert.ok(
    findIn(sent, found).some((where) => where.startsWith('POST ')),
    'a body',
  )
  assert.ok(findIn(sent, /vintem:height/).length > 0, 'a message between windows')
  assert.ok(findIn(shown, /Pague com cartão/).length > 0 && findIn(shown, /clientSecret/).length > 0, 'pages')
  assert.ok(findIn(rows, found).includes('public.payment'), 'a table')
  assert.ok(findIn(files, new RegExp(installation.sandbox().apiKey)).includes('sandbox.json'), 'a file')
  assert.ok(
    findIn(files, /4242/).some((where) => where.startsWith('simulators/acquirer')),
    'the last digits',
  )
  assert.match(output.text, new RegExp(installation.sandbox().apiKey))
  // It also finds the numbers where they belong: in the recorded requests of the innermost frame, with their bodies.
  const theirs = await recording.of([new URL(simulators.acquirer.apiUrl).origin])
  for (const { name, pattern } of secrets.filter(({ name }) => name !== misplaced))
    assert.ok(
      findIn(theirs, pattern).some((where) => where.startsWith('POST ')),
      name,
    )
})
