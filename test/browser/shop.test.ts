// The example shop as its README starts it, in a browser, beside a sandbox. What Vintem sends to it comes late, twice and in the wrong order.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { call } from '../journeys/merchant.ts'
import { installExample } from '../journeys/packed-sdk.ts'
import { freePorts } from '../ports.ts'
import { axeFindings } from './axe.ts'
import { openJourneyWorld, type JourneyWorld } from './checkout-journey-world.ts'

let world: JourneyWorld
let folder: string
let shop: ChildProcess
let shopPort: number
let proxy: Server
const held: { readonly request: IncomingMessage; readonly body: Buffer }[] = []
/** Whether webhooks are held instead of passed on. */
let isHolding = false

before(async () => {
  world = await openJourneyWorld()
  folder = await mkdtemp(join(tmpdir(), 'vintem-shop-'))
  await installExample('shop', folder, ['hono', '@hono/node-server'])
  shopPort = await freePorts([0])
  proxy = createServer((request, response) => {
    void Array.fromAsync<Buffer>(request).then(async (parts) => {
      const body = Buffer.concat(parts)
      if (request.url === '/webhooks' && isHolding) {
        held.push({ request, body })
        response.writeHead(204).end()
        return
      }
      const answer = await pass(request, body).catch(() => undefined)
      if (answer === undefined) return void response.writeHead(502).end()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  await startShop()
})
after(async () => {
  shop.kill('SIGKILL')
  proxy.closeAllConnections()
  proxy.close()
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const origin = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

function pass(request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url, headers } = request
    httpRequest({ host: '127.0.0.1', port: shopPort, method, path: url, headers }, resolve)
      .on('error', reject)
      .end(body)
  })
}

const shopEnv = (port: number, database: string) => ({
  ...process.env,
  SHOP_PORT: String(port),
  SHOP_URL: origin(),
  SHOP_DB: join(folder, database),
  VINTEM_DATA_DIR: world.installation.dataDir,
})

async function startShop(): Promise<void> {
  shop = spawn(process.execPath, ['shop.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: shopEnv(shopPort, 'shop.db'),
  })
  assert.ok(shop.stdout !== null)
  await once(shop.stdout, 'data')
}

/** A cart with one good, at its page. */
async function fillCart(): Promise<Page> {
  const page = await world.open(origin(), { locale: 'en-US' })
  await page.getByRole('button', { name: 'Add Coffee beans' }).click()
  await page.getByText('49,90').first().waitFor()
  assert.deepEqual(await axeFindings(page), [])
  return page
}

function fulfilments(): readonly unknown[] {
  using db = new DatabaseSync(join(folder, 'shop.db'), { readOnly: true })
  return db.prepare('select order_id from fulfilment').all()
}

async function payNewest(how: object): Promise<void> {
  const { body } = await world.api('GET', '/v1/payments?limit=1')
  const [newest] = body['data'] as readonly { readonly id: string }[]
  const paid = await call(world.installation.sandbox(), 'POST', `/v1/sandbox/payments/${newest?.id}/pay`, how)
  assert.equal(paid.status, 202, JSON.stringify(paid.body))
}

test('a Pix code on the shop’s own page is paid, and the page says so without a reload of the payer’s', async () => {
  const page = await fillCart()
  await page.getByRole('button', { name: 'Pay by Pix here' }).click()
  await page.getByAltText('Pix code to scan').waitFor()
  assert.deepEqual(await axeFindings(page), [])
  await payNewest({ scenario: 'exact' })
  await page.getByText('Paid. Your coffee is on its way.').waitFor()
  assert.equal(fulfilments().length, 1)
})

test('on Vintem’s page the payer pays and comes back; the shop is killed meanwhile, and its loop catches up', async () => {
  const page = await fillCart()
  await page.getByRole('button', { name: 'Choose how to pay' }).click()
  await page.waitForURL(/\/c\//)
  isHolding = true
  shop.kill('SIGKILL')
  await once(shop, 'exit')
  await payNewest({ method: 'PIX', scenario: 'exact' })
  await eventually('the webhook', () => held.length > 0)
  await startShop()
  await eventually('fulfilment', () => fulfilments().length === 2)
  isHolding = false
  const late = held.splice(0)
  for (const { request, body } of [...late.toReversed(), ...late, ...late])
    assert.equal((await pass(request, body)).statusCode, 204)
  assert.equal(fulfilments().length, 2)
})

test('an order is refunded from the shop’s page, and the same click sent twice refunds once', async () => {
  const page = await world.open(`${origin()}/admin`, { locale: 'en-US' })
  assert.deepEqual(await axeFindings(page), [])
  const action = await page.locator('form[action$="/refund"]').first().getAttribute('action')
  const click = () =>
    fetch(`${origin()}${action}`, { method: 'POST', headers: { origin: origin() }, redirect: 'manual' })
  const answers = await Promise.all([click(), click()])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  )
  await eventually('the refund on the page', async () => {
    await page.goto(`${origin()}/admin`)
    return (await page.locator(`form[action="${action}"]`).count()) === 0
  })
  const paymentOf = (list: readonly { readonly paymentId: string }[]) =>
    new Set(list.map(({ paymentId }) => paymentId)).size
  const { body } = await world.api('GET', '/v1/refunds?limit=5')
  const refunds = body['data'] as readonly { readonly paymentId: string }[]
  assert.equal(refunds.length, paymentOf(refunds), 'no payment has two')
})

test('a webhook with a wrong signature changes nothing', async () => {
  const answer = await fetch(`${origin()}/webhooks`, { method: 'POST', body: '{"type":"payment.completed"}' })
  assert.equal(answer.status, 400)
})

// It installs the shop's packages from npm into the tree, as for a reader of the README.
soakTest('npm run shop installs it, builds the SDK and opens it', async () => {
  const port = await freePorts([0])
  const npm = spawn('npm', ['run', 'shop'], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: shopEnv(port, 'by-npm.db'),
    detached: true,
  })
  const ended = once(npm, 'exit')
  try {
    await eventually(
      'the shop is open',
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          ({ ok }) => ok,
          () => false,
        ),
      180_000,
    )
  } finally {
    // npm leads a process group of its own.
    process.kill(-(npm.pid ?? assert.fail('a process')), 'SIGTERM')
    await ended
  }
})
