// A merchant's server that does what docs/webhooks.md requires, with a URL for the state of its payments. Each fault makes one thing of
// the server wrong.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { dispute } from '#/contract/disputes.ts'
import { eventTypes } from '#/contract/events.ts'
import { payment } from '#/contract/payments.ts'
import { refund } from '#/contract/refunds.ts'
import { isGenuine } from '#/sandbox/verify-webhook.ts'

export type ShopFault =
  | 'answers late'
  | 'verifies parsed JSON'
  | 'reads the first signature alone'
  | 'accepts forged deliveries'
  | 'accepts old deliveries'
  | 'answers 500 to repeats'
  | 'refuses unknown types'
  | 'refuses unknown fields'
  | 'has room for three at once'
  | 'counts repeats'
  | 'lets the last event win'
  | 'takes EXPIRED for the end'
  | 'keeps the first part alone'
  | 'fulfils at each PAID'
  | 'counts refunds that failed'

type Json = Readonly<Record<string, unknown>>
type Received = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }
type Kept = { version: number; status: string; amount: number }
type Order = {
  version: number
  status: string
  received: number
  fulfilments: number
  isPart: boolean
  readonly refunds: Map<string, Kept>
  readonly disputes: Map<string, Kept>
}

export type Shop = AsyncDisposable & {
  readonly url: string
  readonly stateUrl: string
  /** What came to `url`. */
  readonly received: readonly Received[]
}

/** How long each event takes that finds no room, one after another; and how late the late shop answers. */
const workMs = 400
const lateMs = 3_000
/** How many events the shop with little room works on at once, and how long each of these takes. */
const room = 3
const roomMs = 50

const frame = ['id', 'type', 'timestamp', 'mode', 'sequence', 'data']
const fieldNames = {
  payment: Object.keys(payment.properties),
  refund: Object.keys(refund.properties),
  dispute: Object.keys(dispute.properties),
}

export async function openShop(secret: Buffer, fault?: ShopFault): Promise<Shop> {
  const orders = new Map<string, Order>()
  const processed = new Set<string>()
  const received: Received[] = []
  let line = Promise.resolve()
  let open = 0

  const orderOf = (id: string): Order => {
    const order = orders.get(id) ?? {
      version: 0,
      status: 'NEW',
      received: 0,
      fulfilments: 0,
      isPart: false,
      refunds: new Map<string, Kept>(),
      disputes: new Map<string, Kept>(),
    }
    orders.set(id, order)
    return order
  }

  function applyPayment(type: string, data: Json): void {
    const order = orderOf(String(data['id']))
    const version = Number(data['version'])
    if (version <= order.version && fault !== 'lets the last event win') return
    if (order.status === 'EXPIRED' && fault === 'takes EXPIRED for the end') return
    if (order.isPart && fault === 'keeps the first part alone') return
    order.version = version
    order.status = String(data['status'])
    order.received = Number(data['amountReceived'])
    order.isPart ||= type === 'payment.underpaid'
    const isNew = order.fulfilments === 0 || fault === 'fulfils at each PAID'
    if (order.status === 'PAID' && isNew) order.fulfilments += 1
  }

  function applyOther(records: Map<string, Kept>, data: Json): void {
    const before = records.get(String(data['id']))
    const version = Number(data['version'])
    if (before !== undefined && version <= before.version) return
    const isKept = fault === 'counts refunds that failed' && before !== undefined
    const status = isKept ? before.status : String(data['status'])
    records.set(String(data['id']), { version, status, amount: Number(data['amount']) })
  }

  function apply(event: Json): number {
    const type = String(event['type'])
    const data = event['data'] as Json
    const [family = ''] = type.split('.')
    if (fault === 'refuses unknown types' && !eventTypes.some((each) => each === type)) return 400
    const fields = Object.entries(fieldNames).find(([name]) => name === family)?.[1]
    if (fault === 'refuses unknown fields' && fields !== undefined) {
      const isKnown = (of: Json, names: readonly string[]) =>
        Object.keys(of).every((each) => names.includes(each))
      if (!isKnown(event, frame) || !isKnown(data, fields)) return 400
    }
    if (processed.has(String(event['id']))) {
      if (fault === 'answers 500 to repeats') return 500
      if (fault === 'counts repeats' && data['status'] === 'PAID')
        orderOf(String(data['id'])).fulfilments += 1
      return 204
    }
    processed.add(String(event['id']))
    if (family === 'payment') applyPayment(type, data)
    if (family === 'refund') applyOther(orderOf(String(data['paymentId'])).refunds, data)
    if (family === 'dispute') applyOther(orderOf(String(data['paymentId'])).disputes, data)
    return 204
  }

  function isValid({ headers, body }: Received): boolean {
    const at = Number(headers['webhook-timestamp']) * 1_000
    const now = fault === 'accepts old deliveries' ? new Date(at) : new Date()
    const [first] = String(headers['webhook-signature']).split(' ')
    const alone = fault === 'reads the first signature alone' ? { 'webhook-signature': first } : {}
    const bytes =
      fault === 'verifies parsed JSON' ? Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')))) : body
    return isGenuine([secret], { headers: { ...headers, ...alone }, body: bytes }, now)
  }

  function stateOf(event: Json): Json | undefined {
    const order = orders.get(String((event['data'] as Json)['paymentId']))
    if (order === undefined) return undefined
    const sum = (records: Map<string, Kept>, counts: (status: string) => boolean) =>
      [...records.values()].reduce((all, { status, amount }) => all + (counts(status) ? amount : 0), 0)
    return {
      status: order.status,
      amountReceived: order.received,
      amountRefunded: sum(order.refunds, (status) => status !== 'FAILED'),
      amountDisputed: sum(order.disputes, (status) => status !== 'WON'),
      fulfilments: order.fulfilments,
    }
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
    const call = { headers: request.headers, body }
    const isState = request.url === '/state'
    if (!isState) received.push(call)
    if (fault === 'answers late') await pause(lateMs)
    const isForgedFine = fault === 'accepts forged deliveries' && !isOld(call)
    if (!isState && !isForgedFine && !isValid(call))
      return void response.writeHead(401).end('not signed by Vintem')
    const event = JSON.parse(body.toString('utf8')) as Json
    if (isState) {
      const state = stateOf(event)
      return void response.writeHead(state === undefined ? 404 : 200).end(JSON.stringify(state))
    }
    if (fault === 'has room for three at once') {
      open += 1
      // Work for a caller that has gone is left out, so that the next case finds the line empty.
      if (open > room) await (line = line.then(() => (response.closed ? undefined : pause(workMs))))
      else await pause(roomMs)
      open -= 1
    }
    response.writeHead(apply(event)).end()
  }

  const server = createServer(
    (request, response) => void receive(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    url: `${origin}/webhooks`,
    stateUrl: `${origin}/state`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isOld({ headers }: Received): boolean {
  return Math.abs(Date.now() - Number(headers['webhook-timestamp']) * 1_000) > 5 * 60_000
}
