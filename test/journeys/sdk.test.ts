// The SDK as a merchant has it: packed, installed into an empty project, at a running sandbox.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import type * as Sdk from '../../sdk/typescript/src/vintem.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import { installPackedSdk } from './packed-sdk.ts'
import { loadSamples } from './sdk-samples.ts'
import { sharedInstallation } from './shared-installation.ts'

const run = promisify(execFile)
const source = join(import.meta.dirname, '../../sdk/typescript')

let installation: Installation
let folder: string
let sdk: typeof Sdk

before(async () => {
  installation = await sharedInstallation()
  folder = await mkdtemp(join(tmpdir(), 'vintem-sdk-'))
  await installPackedSdk(folder)
  sdk = (await import(join(folder, 'node_modules/@vintem/sdk/dist/vintem.js'))) as typeof Sdk
})
after(() => rm(folder, { recursive: true, force: true }))

function client() {
  const { apiKey, apiUrl } = installation.sandbox()
  return sdk.createClient({ apiKey, baseUrl: apiUrl })
}

/** A shop's server, which verifies with the SDK. */
async function openShop(secret: string) {
  const events: Sdk.WebhookEvent[] = []
  const server = createServer((request, response) => {
    void Array.fromAsync<Buffer>(request)
      .then((parts) => sdk.verifyWebhook(Buffer.concat(parts), request.headers, secret))
      .then(
        (event) => (events.push(event), response.writeHead(204).end()),
        () => response.writeHead(400).end(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the packed SDK has types and no dependencies', async () => {
  const installed = join(folder, 'node_modules/@vintem/sdk')
  const about = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  assert.equal(about['dependencies'], undefined)
  await writeFile(
    join(folder, 'shop.ts'),
    `import { createClient, isProblem, verifyWebhook } from '@vintem/sdk'
const vintem = createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:4000' })
const { status } = await vintem.payments.create({ amount: 1, currency: 'BRL', paymentMethods: ['PIX'], idempotencyKey: 'a' })
const isPaid: boolean = status === 'PAID'
const event = await verifyWebhook('', new Headers(), 'whsec_')
if (event.type === 'payment.completed') console.log(event.data.amountReceived.toFixed(), isPaid, isProblem(null, 'not_found'))
// @ts-expect-error: a payment needs a key of the caller's
void vintem.payments.create({ amount: 1 })
`,
  )
  await typeCheck('nodenext', 'shop.ts')
})

/** Checks a file of the project with the repository's compiler. */
async function typeCheck(module: string, file: string): Promise<void> {
  const compiler = join(source, '../../node_modules/typescript')
  const { bin } = JSON.parse(await readFile(join(compiler, 'package.json'), 'utf8')) as {
    bin: { tsc: string }
  }
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    module,
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--types',
    '',
    file,
  ]
  await run(process.execPath, [join(compiler, bin.tsc), ...flags], { cwd: folder })
}

test('the packed SDK works from CommonJS, by `require` alone and with types', async () => {
  const program = `const { createClient, verifyWebhook, VintemProblem } = require('@vintem/sdk')
const vintem = createClient({ apiKey: 'wrong', baseUrl: process.argv[2] })
vintem.payments.get('019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f').catch((error) =>
  console.log(error instanceof VintemProblem, error.code, typeof verifyWebhook))
`
  await writeFile(join(folder, 'shop.cjs'), program)
  // Without it Node would load an ES module too.
  const flags = ['--no-experimental-require-module', 'shop.cjs', installation.sandbox().apiUrl]
  const { stdout } = await run(process.execPath, flags, { cwd: folder })
  assert.equal(stdout, 'true unauthenticated function\n')

  await writeFile(
    join(folder, 'shop.cts'),
    `import { createClient, type Payment } from '@vintem/sdk'
import sdk = require('@vintem/sdk')
const vintem = createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:4000' })
export const paid = async (id: string): Promise<Payment['status']> => (await vintem.payments.get(id)).status
export const isGone = (error: unknown): boolean => sdk.isProblem(error, 'not_found')
// @ts-expect-error: a payment needs a key of the caller's
void vintem.payments.create({ amount: 1 })
`,
  )
  await typeCheck('node16', 'shop.cts')
})

test('the packed SDK imports nothing, so that it runs wherever there is fetch', async () => {
  const dist = join(folder, 'node_modules/@vintem/sdk/dist')
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'))
  assert.ok(files.length > 5, `${files.length} files`)
  for (const name of files) {
    const text = await readFile(join(dist, name), 'utf8')
    const imports = [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
      ([, what]) => what,
    )
    for (const each of imports) assert.match(each ?? '', /^\.\.?\/.+\.js$/, name)
    assert.doesNotMatch(text, /\b(?:process\.\w|Buffer\.\w)/, name)
    if (!name.startsWith('cjs')) assert.doesNotMatch(text, /\brequire\(/, name)
  }
})

test('the samples of the page run as the built page shows them', async (t) => {
  const { apiKey, apiUrl, webhookSecret } = installation.sandbox()
  process.env['VINTEM_API_KEY'] = apiKey
  process.env['VINTEM_WEBHOOK_SECRET'] = webhookSecret
  t.after(() => {
    delete process.env['VINTEM_API_KEY']
    delete process.env['VINTEM_WEBHOOK_SECRET']
  })
  const samples = await loadSamples(folder, apiUrl)

  const payment = await samples.create()
  assert.match(payment.checkoutUrl ?? '', /^http/)
  assert.equal((await samples.create()).id, payment.id, 'the key of the page finds the same payment')

  const body = JSON.stringify({ id: randomUUID(), type: 'payment.completed', data: {} })
  const { id } = JSON.parse(body) as { readonly id: string }
  const requestOf = (secret: string) => {
    const at = new Date()
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    }
    return new Request('http://127.0.0.1/hook', { method: 'POST', body, headers })
  }
  assert.equal(await samples.receive(requestOf(webhookSecret)), 'payment.completed')
  const stranger = `whsec_${Buffer.from('the secret of another sender').toString('base64')}`
  await assert.rejects(samples.receive(requestOf(stranger)), { name: 'VintemSignatureError' })

  const vintem = client()
  await vintem.payments.cancel(payment.id)
  const handled: string[] = []
  const done = new Error('that is enough')
  const tools = {
    storedPosition: async () => 0,
    inOneTransaction: (work: (database: object) => Promise<void>) => work({}),
    handle: async (_database: object, event: Sdk.WebhookEvent) => {
      handled.push(event.type)
      if ('id' in event.data && event.data.id === payment.id) throw done
    },
    storePosition: async () => undefined,
  }
  await assert.rejects(samples.follow(vintem, tools), done)
  assert.equal(handled.at(-1), 'payment.canceled')
})

test('a payment is made once, paid, confirmed by a verified webhook, refunded, and read from lists', async () => {
  const vintem = client()
  await using shop = await openShop(installation.sandbox().webhookSecret)
  const body = {
    amount: 4990,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    idempotencyKey: randomUUID(),
    webhookUrl: shop.url,
  } as const
  const [made, again] = await Promise.all([vintem.payments.create(body), vintem.payments.create(body)])
  assert.equal(made.id, again.id)
  await vintem.sandbox.payPayment(made.id, { scenario: 'exact' })
  await eventually('the webhook', () => shop.events.some(({ type }) => type === 'payment.completed'))
  assert.equal((await vintem.payments.get(made.id)).status, 'PAID')

  const [event] = shop.events.filter(({ type }) => type === 'payment.completed')
  assert.ok(event !== undefined)
  const deliveries = await Array.fromAsync(vintem.deliveries.list(event.id))
  await vintem.deliveries.resend(deliveries[0]?.id ?? '')
  await eventually('it again', () => shop.events.filter(({ id }) => id === event.id).length === 2)
  const versions = shop.events.map(({ data }) => (data as { readonly version: number }).version)
  assert.equal(
    sdk.isNewer(shop.events.at(-1) ?? event, Math.max(...versions)),
    false,
    'the same event again is not newer',
  )

  const refund = await vintem.refunds.create(made.id, { amount: 1000 })
  await eventually('the refund', async () => (await vintem.refunds.get(refund.id)).status === 'COMPLETED')
  const ofPayment = await Array.fromAsync(vintem.refunds.list({ paymentId: made.id, limit: 1 }))
  assert.deepEqual(
    ofPayment.map(({ id }) => id),
    [refund.id],
  )
})

test('a refusal is a problem with its code', async () => {
  await assert.rejects(
    async () => client().payments.get(randomUUID()),
    (error: unknown) => sdk.isProblem(error, 'not_found'),
  )
})

test('follow() brings the events of what happens while it waits, in order and without gaps', async () => {
  const vintem = client()
  const newest = (await vintem.events.list({ limit: 1 })).data[0]?.sequence ?? 0
  const stop = AbortSignal.timeout(60_000)
  const followed: number[] = []
  const following = (async () => {
    for await (const event of vintem.events.follow({ after: newest, signal: stop })) {
      followed.push(event.sequence)
      if (followed.length === 3) return
    }
  })()
  for (const nth of [1, 2, 3])
    await vintem.wallets.create({ currency: 'BRL', walletType: 'RESERVE', label: `SDK ${nth}` })
  await following
  assert.deepEqual(followed, [newest + 1, newest + 2, newest + 3])
})
