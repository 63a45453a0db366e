// The bytes that the real server sends to a payer's phone for each page: document, script and styles together.
import assert from 'node:assert/strict'
import { get, type IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Payment } from '#/payments/payment.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../checkout-world.ts'
import { loadWeb } from './view-server.ts'

let world: CheckoutWorld
before(async () => {
  world = await openCheckoutWorld({ view: await loadWeb() })
})
after(() => world[Symbol.asyncDispose]())

type Answer = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** Requests a page without unpacking the answer, as `fetch` would. */
function ask(path: string, acceptEncoding?: string): Promise<Answer> {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
  return new Promise((resolve, reject) => {
    get(world.url + path, { headers }, (response) => {
      response.toArray().then((parts) => {
        resolve({ headers: response.headers, body: Buffer.concat(parts as Buffer[]) })
      }, reject)
    }).on('error', reject)
  })
}

function unpacked({ headers, body }: Answer): string {
  const how = { br: brotliDecompressSync, gzip: gunzipSync }[headers['content-encoding'] ?? '']
  return (how === undefined ? body : how(body)).toString('utf8')
}

const filesIn = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/(?:assets|t)\/[^"]+)"/g)].map(([, path]) => path ?? '')

const unchosen = { isUnchosen: true, status: 'PENDING', methods: ['PIX', 'CREDIT_CARD', 'CRYPTO'] } as const
const request = { amount: 1_000, checkout: 'default' }

/** A payment with a Pix code. */
async function chosenPix(): Promise<Payment> {
  const payment = await world.newPayment({ ...unchosen, request })
  assert.equal((await world.post(`${world.path(payment)}/choose`, { method: 'PIX' })).status, 303)
  return payment
}

/** The pages, and the limit of bytes of each with brotli; gzip may need an eighth more. */
const pages: readonly {
  readonly name: string
  readonly most: number
  readonly payment: () => Promise<Payment>
}[] = [
  { name: 'choose', most: 22_000, payment: () => world.newPayment({ ...unchosen, request }) },
  { name: 'pix', most: 23_000, payment: chosenPix },
  { name: 'card', most: 22_000, payment: () => world.newPayment({ method: 'CREDIT_CARD' }) },
  { name: 'coins', most: 24_000, payment: () => world.newPayment({ method: 'CRYPTO', currency: 'USDT' }) },
  {
    name: 'wallet app',
    most: 23_000,
    payment: () => world.newPayment({ method: 'PARTNER_PAY', currency: 'USDT' }),
  },
  { name: 'paid', most: 22_000, payment: () => world.newPayment({ status: 'PAID', receivedMinor: 1_000n }) },
]

for (const { name, most, payment } of pages)
  test(`the page "${name}" costs a phone at most ${most} bytes`, async (t) => {
    const path = world.path(await payment())
    const plain = await ask(path)
    assert.equal(plain.headers['content-encoding'], undefined)
    const sums = { br: 0, gzip: 0 }
    for (const [encoding, wanted] of [
      ['br', 'gzip, deflate, br'],
      ['gzip', 'gzip'],
    ] as const)
      for (const each of [path, ...filesIn(plain.body.toString('utf8'))]) {
        const answer = await ask(each, wanted)
        if (Buffer.byteLength(unpacked(answer)) >= 1_000)
          assert.equal(answer.headers['content-encoding'], encoding, each)
        assert.match(String(answer.headers.vary), /accept-encoding/, each)
        assert.equal(Number(answer.headers['content-length']), answer.body.length, each)
        sums[encoding] += answer.body.length
      }
    t.diagnostic(`${sums.br} bytes with brotli, ${sums.gzip} with gzip`)
    assert.ok(sums.br > 5_000 && sums.br <= most, `${sums.br} bytes`)
    assert.ok(sums.gzip <= most * 1.125, `${sums.gzip} bytes`)
  })

test('compressed answers unpack to what an old browser gets, and a browser never gets an encoding that it refuses', async () => {
  const path = world.path(await world.newPayment({ status: 'PAID', receivedMinor: 1_000n }))
  const plain = (await ask(path, 'identity')).body.toString('utf8')
  const timeless = (html: string) => html.replace(/"now":"[^"]*"/, '')
  for (const wanted of ['br', 'gzip', 'br;q=1.0, gzip;q=0.5', 'GZIP;Q=0.4'])
    assert.equal(timeless(unpacked(await ask(path, wanted))), timeless(plain), wanted)
  for (const wanted of ['', 'deflate', 'br;q=0, gzip;q=0.0', '*;q=0'])
    assert.equal((await ask(path, wanted)).headers['content-encoding'], undefined, wanted)
  assert.equal((await ask(path, 'br;q=0, gzip')).headers['content-encoding'], 'gzip')
  for (const file of filesIn(plain))
    assert.equal(unpacked(await ask(file, 'br')), (await ask(file)).body.toString('utf8'), file)
})

test('states and pages without a payment are compressed too, and pictures are not', async () => {
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4_000)])
  world.template = { ...world.template, logo: { type: 'image/png', bytes } }
  const payment = await chosenPix()
  const { merchant } = await world.state(payment)
  assert.equal((await ask(`${world.path(payment)}/state`, 'br')).headers['content-encoding'], 'br')
  assert.equal((await ask('/c/nothing', 'br')).headers['content-encoding'], 'br')
  assert.equal((await ask(merchant.logoUrl ?? '', 'br')).headers['content-encoding'], undefined)
})

test('neither we nor a proxy compresses a stream, and its first state comes at once', async () => {
  const payment = await chosenPix()
  const first = await new Promise<{ readonly headers: IncomingHttpHeaders; readonly text: string }>(
    (resolve, reject) => {
      const headers = { 'accept-encoding': 'gzip, br' }
      get(`${world.url}${world.path(payment)}/events`, { headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
          if (!/data: .*\n\n/.test(text)) return
          resolve({ headers: response.headers, text })
          response.destroy()
        })
        response.on('error', () => {})
      }).on('error', reject)
    },
  )
  assert.equal(first.headers['content-encoding'], undefined)
  assert.equal(first.headers['cache-control'], 'no-store, no-transform')
  assert.match(first.text, /"step":"waiting"/)
})
