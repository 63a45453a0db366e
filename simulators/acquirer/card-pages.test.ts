import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stripe } from 'stripe'
import { statusUnder } from '../../test/foreign-host.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { hostedTerms, startTestAcquirer, terms } from './harness.ts'

const acquirer = openForTests(startTestAcquirer)
const shop = makeForTests(() => acquirer.account({ name: 'Padaria <São João> & Cia' }))

const good = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ana Souza' }

type Page = {
  readonly url: string
  readonly status: number
  readonly html: string
  readonly headers: Headers
}

async function open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
  const answer = await fetch(new URL(path, acquirer.apiUrl), { headers })
  return { url: answer.url, status: answer.status, html: await answer.text(), headers: answer.headers }
}

/** Sends the form of a page as a browser does: to its action, and follows redirects. */
async function send(page: Page, fields: Readonly<Record<string, string>>): Promise<Page> {
  const action = /<form[^>]* action="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&')
  assert.ok(action, 'the page has a form')
  const answer = await fetch(new URL(action, page.url), { method: 'POST', body: new URLSearchParams(fields) })
  return { url: answer.url, status: answer.status, html: await answer.text(), headers: answer.headers }
}

async function frame(
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<{ id: string; page: Page }> {
  const session = await shop.stripe.checkout.sessions.create(terms({ locale: 'en', ...more }))
  return { id: session.id, page: await open(`/c/embed/${session.id}`) }
}

const statusOf = async (id: string) => (await shop.stripe.checkout.sessions.retrieve(id)).status

test('a card is paid with plain forms, and every reload of the page shows it', async () => {
  const { id, page } = await frame()
  assert.match(page.html, /Padaria &lt;São João&gt; &amp; Cia/)
  // The page around the frame shows the amount.
  assert.doesNotMatch(page.html, /19\.90/)
  const done = await send(page, good)
  assert.equal(done.url, page.url)
  assert.match(done.html, /Payment approved/)
  assert.equal(await statusOf(id), 'complete')
  assert.match((await open(done.url)).html, /Payment approved/)
  // The back button and a second click: the same payment.
  assert.match((await send(page, good)).html, /Payment approved/)
  const { data } = await shop.stripe.events.list({ type: 'charge.succeeded', limit: 100 })
  assert.equal(data.length, 1)
})

test('errors of the form are shown beside each field, and the security code is not shown again', async () => {
  const { id, page } = await frame()
  const wrong = await send(page, { number: '4242 4242 4242 4241', expiry: '13/40', cvc: '12', name: '' })
  assert.equal(wrong.status, 422)
  for (const field of ['number', 'expiry', 'cvc', 'name']) {
    assert.match(
      wrong.html,
      new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-error`),
    )
    assert.match(wrong.html, new RegExp(`id="${field}-error" class="error">[^<]+<`))
  }
  assert.match(wrong.html, /value="4242 4242 4242 4241"/)
  assert.doesNotMatch(wrong.html, /value="12"/)
  const past = await send(page, { ...good, expiry: '01/20', number: '378282246310005' })
  assert.match(past.html, /This date has passed/)
  assert.match(past.html, /Enter the 4-digit security code/)
  assert.equal(await statusOf(id), 'open')
})

test('a decline is explained, survives a reload, and the next card pays', async () => {
  const { id, page } = await frame()
  const declined = await send(page, { ...good, number: '4000000000009995' })
  assert.match(declined.html, /role="alert">This card has insufficient funds\. You were not charged\./)
  assert.match((await open(declined.url)).html, /insufficient funds/)
  assert.match((await send(declined, good)).html, /Payment approved/)
  assert.equal(await statusOf(id), 'complete')
})

test('the 3-D Secure challenge is in the same frame: failed, the form comes back; passed, it is paid', async () => {
  const { id, page } = await frame()
  const challenge = await send(page, { ...good, number: '4000002760003184' })
  assert.equal(challenge.url, page.url)
  assert.match(challenge.html, /card ending in 3184/)
  assert.match((await open(challenge.url)).html, /Complete authentication/)
  const refused = await send(challenge, { result: 'fail' })
  assert.match(refused.html, /couldn’t verify your identity/)
  const again = await send(refused, { ...good, number: '4000002760003184' })
  assert.match((await send(again, { result: 'complete' })).html, /Payment approved/)
  assert.equal(await statusOf(id), 'complete')
})

test('a hosted page sends the payer on when it is paid, and back when the payer wants', async () => {
  const session = await shop.stripe.checkout.sessions.create(hostedTerms({ locale: 'pt-BR' }))
  const page = await open(session.url ?? '')
  assert.match(page.html, /lang="pt-BR"/)
  assert.equal(page.html.match(/R\$\s?50,00/g)?.length, 1)
  assert.match(page.html, />Pagar</)
  assert.match(page.html, /href="http:\/\/shop\.localhost\/cart"/)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const done = await send(page, good)
  const onward = `http://shop.localhost/thanks?s=${session.id}`
  assert.ok(done.html.includes(`http-equiv="refresh" content="0;url=${onward}"`))
})

test('the payer’s email that the account gave is shown and fixed, and its text is shown next to the button', async () => {
  const { id, page } = await frame({
    customer_email: 'ana@example.com',
    custom_text: { submit: { message: 'Payer: Ana <Souza>' } },
  })
  assert.match(
    page.html,
    /<label for="email">Email<\/label><input id="email" type="email"[^>]* readonly="" value="ana@example\.com"/,
  )
  assert.match(page.html, /<p class="soft small">Payer: Ana &lt;Souza&gt;<\/p>/)
  const declined = await send(page, { ...good, number: '4000000000009995' })
  assert.match(declined.html, /ana@example\.com[^]*Payer: Ana/)
  // Whatever the form sends, the address stays the account's.
  await send(page, { ...good, email: 'other@example.com' })
  const session = await shop.stripe.checkout.sessions.retrieve(id)
  assert.deepEqual(
    [session.customer_details?.email, session.customer_details?.name, session.custom_text.submit?.message],
    ['ana@example.com', 'Ana Souza', 'Payer: Ana <Souza>'],
  )
  const { page: unknown } = await frame()
  assert.doesNotMatch(unknown.html, /id="email"/)
})

test('a page has the name and the colours that the account gave it', async () => {
  const branding = { display_name: 'Loja da Ana', background_color: '#171412', button_color: '#ffcc00' }
  const { page } = await frame({ branding_settings: branding })
  assert.match(page.html, /To Loja da Ana/)
  assert.doesNotMatch(page.html, /Padaria/)
  const path = /href="(\/c\/colours\.css[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { html: css } = await open(path)
  assert.match(css, /color-scheme: dark; --card: #171412;/)
  assert.match(css, /--button: #ffcc00; --on-button: #000000;/)
  assert.equal((await open('/c/colours.css?background=red;}&button=%23fff')).html, '')
  const light = await open('/c/colours.css?background=%23ffffff&button=%23802000')
  assert.match(light.html, /color-scheme: light;[^]*--on-button: #ffffff;/)
  await assert.rejects(frame({ branding_settings: { background_color: 'red' } }), /Invalid hex color/)
  const { page: own } = await frame()
  assert.doesNotMatch(own.html, /colours\.css/)
})

test('a page is in the session’s language, or in the browser’s', async () => {
  const { id } = await frame({ locale: 'auto' })
  const inLanguage = async (accept: string) => {
    const { html } = await open(`/c/embed/${id}`, { 'accept-language': accept })
    return /<html lang="([^"]+)"/.exec(html)?.[1]
  }
  assert.deepEqual(await Promise.all(['pt;q=0.9', 'es-MX,en', 'fr', 'fr,pt-PT'].map(inLanguage)), [
    'pt-BR',
    'es',
    'en',
    'pt-BR',
  ])
})

test('an expired session and an invalid link explain what to do', async () => {
  const { id, page } = await frame()
  await shop.stripe.checkout.sessions.expire(id)
  assert.match((await open(page.url)).html, /This page has expired/)
  assert.match((await send(page, good)).html, /This page has expired/)
  for (const path of [
    '/c/embed/cs_test_nobody',
    `/c/pay/${id}`,
    `/c/embed/${id}?secret=wrong`,
    `/c/embed/${id}?key=pk_test_x`,
  ]) {
    const gone = await open(path)
    assert.equal(gone.status, 404, path)
    assert.match(gone.html, /Payment not found/)
  }
})

test('the page loads nothing from elsewhere, and only the account’s origins may hold it', async () => {
  const { page } = await frame()
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.match(policy, /form-action 'self'/)
  assert.match(policy, /frame-ancestors http:\/\/localhost:\* /)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const strict = await acquirer.account({ origins: ['https://pay.example.com'] })
  const session = await strict.stripe.checkout.sessions.create(terms())
  const at = (origin: string) => open(`/c/embed/${session.id}?origin=${encodeURIComponent(origin)}`)
  const allowed = await at('https://pay.example.com')
  assert.match(
    allowed.headers.get('content-security-policy') ?? '',
    /frame-ancestors https:\/\/pay\.example\.com$/,
  )
  assert.match(allowed.html, /data-origin="https:\/\/pay\.example\.com"/)
  assert.doesNotMatch((await at('https://evil.example')).html, /data-origin/)
})

test('the number of a card is stored nowhere', async () => {
  const { page } = await frame()
  const number = '4000056655665556'
  await send(page, { ...good, number })
  const state = await open('/_sim/state')
  assert.ok(state.html.includes('5556'))
  assert.ok(!state.html.includes(number))
})

test('the script for merchants’ pages is served, and the simulator’s own page is there', async () => {
  const script = await open('/endive/stripe.js')
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.match(script.html, /createEmbeddedCheckoutPage/)
  const people = await open('/')
  assert.match(people.html, /You are the payer/)
  const live = JSON.parse((await open('/live')).html) as { readonly children: readonly unknown[] }
  assert.equal(live.children.length, 3)
})

test('every page is served to this machine under its own names only, and accepts no form from another page', async () => {
  const { id, page } = await frame()
  const hosted = await shop.stripe.checkout.sessions.create(hostedTerms())
  const pages = ['/', '/live', '/page.css', '/c/card.css', '/c/frame.js', '/endive/stripe.js', '/_sim/state']
  for (const path of [...pages, `/c/embed/${id}`, `/c/pay/${hosted.id}`]) {
    const url = String(new URL(path, acquirer.apiUrl))
    assert.equal(await statusUnder('evil.example', url), 403, path)
    assert.equal(await statusUnder('127.0.0.1.evil.example', url), 403, path)
    assert.equal(await statusUnder(new URL(url).host, url), 200, path)
  }
  for (const origin of ['https://evil.example', 'null']) {
    const answer = await fetch(page.url, {
      method: 'POST',
      body: new URLSearchParams(good),
      headers: { origin },
    })
    assert.equal(answer.status, 403)
  }
  assert.equal(await statusOf(id), 'open')
  const ownOrigin = new URL(page.url).origin
  const answer = await fetch(page.url, {
    method: 'POST',
    body: new URLSearchParams(good),
    headers: { origin: ownOrigin },
  })
  assert.equal(answer.status, 200)
  assert.equal(await statusOf(id), 'complete')
})
