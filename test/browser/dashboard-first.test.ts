// A person's first steps in the dashboard: in by the link, a test payment paid before their eyes, a passkey, and out again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { eventually } from '../eventually.ts'
import { merchantPaths, withValues } from './dashboard-screens.ts'
import {
  fitsWidth,
  handSessionOn,
  openBrowserWorld,
  visit,
  watchConsoles,
  type BrowserWorld,
} from './dashboard-world.ts'
import { measureViews, readView, watchRequests } from './first-view.ts'

let world: BrowserWorld
/** The page of the person, through all tests. */
let page: Page
before(async () => {
  world = await openBrowserWorld()
  page = await world.open()
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

/** Between two answers of a screen. */
const latenessMs = 60

const hostile = '<img src=x onerror=alert(1)>'

function below(path: string): string {
  return `${world.origin}/m/${world.merchantId}${path === '' ? '' : `/${path}`}`
}

test('the link of the start signs in, leaves the address, and leads to the overview', async () => {
  await page.goto(world.signInUrl)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.equal(page.url(), below(''))
  await page.getByRole('heading', { name: 'Set up your account' }).waitFor()
})

test('the sign-in page of a sandbox says the command that makes a new link, whole on a phone', async () => {
  const visitor = await world.open({ viewport: { width: 360, height: 740 } })
  await visitor.goto(`${world.origin}/sign-in`)
  const command = visitor.getByRole('figure').filter({ hasText: 'Command' }).locator('pre')
  assert.equal(await command.innerText(), './vintem user reset owner@sandbox.localhost')
  assert.ok(
    await command.evaluate((box) => Reflect.get(box, 'scrollWidth') <= Reflect.get(box, 'clientWidth')),
  )
  // What it prints is a link, on which a password is chosen.
  const { output } = await world.installation.run('user', 'reset', 'owner@sandbox.localhost')
  assert.match(output, /\/open#\S+/)
  await visitor.context().close()
})

test('the same link again is refused, and says what to do', async () => {
  const other = await world.open()
  await other.goto(world.signInUrl)
  await other.getByRole('heading', { name: 'This link was already used, or has expired' }).waitFor()
  assert.equal(other.url(), `${world.origin}/sign-in`)
  await other.getByRole('button', { name: 'Go to sign-in' }).click()
  await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await other.context().close()
})

/** The tab of the walk that README shows: it begins while the merchant has no payment. */
let walk: Page

test('the first of three clicks makes a template of one’s own, open in the editor as a draft', async () => {
  walk = await world.open({ as: page.context() })
  await walk.goto(below(''))
  await walk.getByRole('button', { name: 'Create my checkout' }).click()
  await walk.waitForURL(below('templates/my-checkout'))
  await walk.getByText('Not published yet').waitFor()
})

test('a test payment is made and paid by clicks, and becomes Paid without a reload', async () => {
  await page.getByRole('button', { name: 'Create test payment' }).click()
  const payersPage = await page.getByRole('link', { name: 'Open payment page' }).getAttribute('href')
  assert.equal((await fetch(must(payersPage, 'a link'))).status, 200)
  await page.getByRole('link', { name: 'View payment' }).click()
  await page.getByRole('button', { name: 'Simulate payment' }).click()
  await page.evaluate('window.wasHere = true')
  await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).getByText('Paid', { exact: true }).waitFor()
  assert.equal(await page.evaluate('window.wasHere'), true)
  // The payer's page says how it ended, so its link stays within reach.
  await page.getByRole('button', { name: 'Copy payer link' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Open payer page' }).getAttribute('href'), payersPage)

  await page.goto(below(''))
  // The list says so from the server's records, and stays until the rest is done.
  const setup = page.getByRole('region', { name: 'Set up your account' })
  await setup.getByRole('listitem').filter({ hasText: 'Take a payment' }).getByText('Done').waitFor()
  assert.equal(await setup.getByRole('button', { name: 'Create test payment' }).count(), 0)
  await page.getByRole('region', { name: 'Recent payments' }).getByText('Paid').waitFor()
  await page.getByRole('region', { name: 'Received in BRL' }).getByText('R$10.00').first().waitFor()
  assert.equal(await page.evaluate('window.wasHere'), undefined)
})

test('the second click publishes it and opens its page, and with the third, Pix, it is paid by itself', async () => {
  const opened = walk.context().waitForEvent('page')
  await walk.getByRole('button', { name: 'Publish and pay a test payment' }).click()
  const payersPage = await opened
  await payersPage.waitForURL(/\/c\//)
  await payersPage.getByRole('button', { name: /^Pix/ }).click()
  await payersPage.getByText('Payment confirmed').first().waitFor()
  await walk.getByText('Revision 1', { exact: true }).waitFor()
  await walk.context().close()
})

test('the span and the currency of the overview live in the address', async () => {
  await page.getByRole('button', { name: 'Today' }).click()
  await page.getByText('compared with all of yesterday').waitFor()
  assert.equal(page.url(), `${below('')}?span=today`)
  await page.getByRole('button', { name: /USDT/ }).click()
  await page.getByRole('region', { name: 'Balance in USDT' }).waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Balance in USDT' }).waitFor()
  await page.getByText('compared with all of yesterday').waitFor()
})

test('a chart is read by the keyboard, and as a table', async () => {
  await visit(page, `${below('')}?span=7d&currency=BRL`)
  const card = page.getByRole('region', { name: 'Received in BRL' })
  const chart = card.getByRole('img')
  await chart.focus()
  await chart.press('End')
  await card
    .getByText(new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format())
    .first()
    .waitFor()
  await chart.press('ArrowLeft')
  await card.getByText('R$0.00').first().waitFor()
  await card.getByText('See as a table').click()
  await eventually('the table is there', async () => (await card.getByRole('row').count()) === 8)
})

test('the built page holds no script, style or handler of its own', async () => {
  for (const path of ['/', '/sign-in']) {
    const html = await (await fetch(`${world.origin}${path}`)).text()
    const scripts = html.match(/<script[^>]*>/g) ?? []
    assert.ok(scripts.length > 0)
    for (const script of scripts) assert.match(script, / src="\/assets\/[\w.-]+\.js"/)
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:/i)
  }
})

/** Sends a request as the page does, as the person who is signed in. */
async function asPerson(method: string, path: string, body?: object): Promise<object> {
  const send = async ([verb, url, text]: readonly [string, string, string | undefined]) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: verb, ...(text === undefined ? {} : { body: text, headers }) })
    return { status: answer.status, text: await answer.text() }
  }
  const url = `/api/m/${world.merchantId}/${path}`
  const { status, text } = await page.evaluate(send, [
    method,
    url,
    body === undefined ? undefined : JSON.stringify(body),
  ] as const)
  assert.ok(status < 300, `${path}: ${text}`)
  return JSON.parse(text) as object
}

/** Writes the text into everything that a payer or a merchant can name. Returns the id of a payment with it. */
async function plantHostile(): Promise<string> {
  const { document } = (await asPerson('GET', 'templates/default')) as { readonly document: object }
  const inbox = `${world.installation.sandbox().apiUrl}/sandbox/inbox`
  const [payment] = await Promise.all([
    asPerson('POST', 'payments', {
      amount: 1_000,
      currency: 'BRL',
      checkout: 'default',
      idempotencyKey: 'hostile',
      customerName: hostile,
      description: hostile,
      metadata: { note: hostile },
      items: [{ name: hostile, quantity: 1, amount: 1_000 }],
    }),
    asPerson('POST', 'wallets', { currency: 'BRL', walletType: 'SPENDABLE', label: hostile }),
    asPerson('POST', 'webhook-endpoints', { url: inbox, description: hostile }),
    asPerson('POST', 'keys', { name: hostile, scopes: ['payments:read'] }),
    asPerson('PUT', 'templates/hostile', { ...document, name: hostile }),
  ])
  return (payment as { readonly id: string }).id
}

test('markup in what a payer or a merchant writes is shown as text on every screen', async () => {
  const paymentId = await plantHostile()
  for (const each of merchantPaths) {
    const path = withValues(each, { paymentId, slug: 'hostile' })
    // No record of this kind has text from outside.
    if (path === undefined) continue
    await visit(page, below(path))
    const images = await page.locator('img[src="x"], [onerror]').count()
    assert.equal(images, 0, path)
  }
  await visit(page, below(`payments/${paymentId}`))
  // Name, description and item; the value of the metadata is shortened.
  assert.ok((await page.getByText(hostile).count()) >= 3)
  await visit(page, below('payments'))
  await page.getByText(hostile).first().waitFor()
  await visit(page, below(''))
  await page.getByText(hostile).first().waitFor()
})

/** What everybody sees in the first minutes. */
async function firstScreens(): Promise<readonly (readonly [string, string])[]> {
  const { body } = await world.api('GET', '/v1/payments?limit=5')
  const payments = body['data'] as readonly { readonly id: string; readonly status: string }[]
  const paid = must(
    payments.find(({ status }) => status === 'PAID'),
    'a paid payment',
  )
  return [
    ['overview', below('')],
    ['overview of today', `${below('')}?span=today`],
    ['payments', below('payments')],
    ['a payment', below(`payments/${paid.id}`)],
    ['security', below('settings/security')],
    ['sign-in', `${world.origin}/sign-in`],
  ]
}

/** As Dismiss and Settings do: the list of a new merchant is a script of its own, which few first views have. */
async function hideSetup(isHidden: boolean): Promise<void> {
  const status = await page.evaluate(
    async ([url, body]) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { method: 'PUT', headers, body })).status
    },
    [`/api/m/${world.merchantId}/setup`, JSON.stringify({ isHidden })] as const,
  )
  assert.equal(status, 204)
}

/** All bytes of a first view, compressed: at 1.6 Mbit/s they take 0.8 s. */
const firstBytesMax = 168 * 1024

test('a first view takes two round trips: the page, and all that it names, scripts and records, each asked for once', async () => {
  const views = (await firstScreens()).filter(([name]) => name !== 'security')
  await hideSetup(true)
  for (const [name, url] of views) {
    const fresh = await world.open(name === 'sign-in' ? {} : { as: page.context() })
    await measureViews(fresh.context())
    const requested = await watchRequests(fresh)
    await visit(fresh, url)
    const { paintMs } = await readView(fresh)
    // The feed is for what happens later.
    const needed = requested().filter(({ path, atMs }) => !path.endsWith('/live') && atMs < paintMs)
    const late = needed.filter(({ by }) => by === 'script').map(({ path }) => path)
    assert.deepEqual(late, [], `${name}: what its page does not name`)
    const paths = needed.map(({ path }) => path)
    assert.deepEqual(paths.toSorted(), [...new Set(paths)].toSorted(), `${name}: asked for twice`)
    const bytes = needed.reduce((sum, each) => sum + each.bytes, 0)
    assert.ok(needed.length >= 6 && bytes > 50_000 && bytes <= firstBytesMax, `${name}: ${bytes} bytes`)
    await fresh.context().close()
  }
  await hideSetup(false)
})

test('nothing scrolls sideways on the narrowest phone, and nothing moves while answers come one after another', async () => {
  const narrow = await world.open({
    as: page.context(),
    viewport: { width: 320, height: 640 },
    isMobile: true,
    hasTouch: true,
  })
  await measureViews(narrow.context())
  // Answers that come at different times show what makes room only when it is there.
  let calls = 0
  await narrow.route(/\/api\/m\//, async (route) => {
    await sleep(latenessMs * (calls++ % 4))
    await route.continue()
  })
  for (const [name, url] of await firstScreens()) {
    await visit(narrow, url)
    await fitsWidth(narrow, name)
    const { shift, moved } = await readView(narrow)
    assert.ok(shift <= 0.01, `${name}: ${shift}: ${moved.join('; ')}`)
  }
  await narrow.context().close()
})

/** A passkey in the device: present, unlocked, and found without a name. */
async function addAuthenticator(context: BrowserContext, of: Page) {
  const session = await context.newCDPSession(of)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  return { session, authenticatorId }
}

let authenticator: { readonly session: CDPSession; readonly authenticatorId: string }

test('a passkey is added, and signs in after signing out', async () => {
  authenticator = await addAuthenticator(page.context(), page)
  await visit(page, below('settings/security'))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill(hostile)
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('The passkey was added.').waitFor()
  // It is the first factor, so its recovery codes are shown, this once.
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  assert.equal(await codes.getByRole('listitem').count(), 10)
  await codes.getByRole('button', { name: 'Done' }).click()
  await page.getByText(hostile).waitFor()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  // The feed, which ends too, does not ask to come back here.
  assert.equal(new URL(page.url()).search, '')
  await page.goto(below(''))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('a boleto that was paid is not refunded: the dialog says why and has nothing to send, and the API refuses it too', async () => {
  const { body } = await world.api('POST', '/v1/payments', {
    amount: 12_490,
    currency: 'BRL',
    paymentMethods: ['BOLETO'],
    idempotencyKey: 'boleto-of-the-dashboard',
    customerName: 'Ana Souza',
    customerEmail: 'ana@example.com',
    customerTaxId: '529.982.247-25',
    customerAddress: {
      line1: 'Rua das Flores, 10',
      city: 'São Paulo',
      region: 'SP',
      postcode: '01310-100',
      country: 'BR',
    },
  })
  const id = String(body['id'])
  const paid = await world.api('POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'approve' })
  assert.equal(paid.status, 202, JSON.stringify(paid.body))
  const mine = await world.open({ as: page.context() })
  await visit(mine, below(`payments/${id}`))
  await mine.getByRole('heading', { level: 1 }).getByText('Paid', { exact: true }).waitFor()
  await mine.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByText('A boleto cannot be refunded').waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Refund/ }).count(), 0)
  const refused = await world.api('POST', `/v1/payments/${id}/refunds`, {})
  assert.deepEqual(
    [refused.status, refused.body['code'], refused.body['detail']],
    [422, 'method_not_available', 'What came by BOLETO cannot be given back here.'],
  )
  const { body: kept } = await world.api('GET', `/v1/payments/${id}`)
  assert.deepEqual([kept['status'], kept['amountRefunded'], kept['amountRefundPending']], ['PAID', 0, 0])
  await mine.context().close()
})

test('a session that is ended elsewhere shows the sign-in at once, by itself', async () => {
  const other = await world.open()
  const theirs = await addAuthenticator(other.context(), other)
  const { credentials } = await authenticator.session.send('WebAuthn.getCredentials', {
    authenticatorId: authenticator.authenticatorId,
  })
  for (const credential of credentials)
    await theirs.session.send('WebAuthn.addCredential', {
      authenticatorId: theirs.authenticatorId,
      credential,
    })
  await other.goto(`${world.origin}/sign-in`)
  await other.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await other.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await visit(other, below('settings/security'))
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  const ended = other.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await other.getByRole('region', { name: 'Sessions' }).getByRole('button', { name: 'End' }).click()
  assert.equal((await ended).status(), 204)
  // From the answer on, the server refuses the session, and it has ended the session's stream. So the page shows the sign-out without being
  // used (test/dashboard/live.test.ts: the act itself ends the stream, not a periodic check).
  assert.equal(await page.evaluate("fetch('/api/session').then(({ status }) => status)"), 401)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await eventually('the address remembers where to go back', () =>
    new URL(page.url()).searchParams.has('next'),
  )
  handSessionOn(world.installation, await other.context().storageState())
})
