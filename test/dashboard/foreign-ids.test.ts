// The records of one merchant under another: with its real ids every route of a record answers 404 to another merchant's owner, and
// nothing has changed afterwards.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import type { Sql } from '#/db/client.ts'
import { routes as apiRoutes } from '#/http/routes.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { listRails } from '#/rails/all.ts'
import { at, document } from '../contract/document.ts'
import { testRail } from '../contract/rail.ts'
import { paymentBody, withdrawalBody, type Tenant } from '../contract/world.ts'
import { softwareAuthenticator } from '../software-authenticator.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from './world.ts'

type Row = Readonly<Record<string, unknown>>

let world: DashboardWorld
let own: Tenant
let other: Tenant
/** Of their own merchant each. */
let stranger: Person
let owner: Person
before(async () => {
  const destination = ({ cryptoAddress = '' }) => ({ ok: true, fields: { cryptoAddress } }) as const
  const rail = { ...testRail(), refunds: { destination, send: () => Promise.resolve([]) } }
  world = await openDashboardWorld({ rails: listRails([rail]) })
  own = await world.base.openTenant()
  other = await world.base.openTenant()
  stranger = await world.person([{ merchantId: own.id, role: 'OWNER' }])
  owner = await world.person([{ merchantId: other.id, role: 'OWNER' }])
})
after(() => world.close())

type Endpoint = {
  readonly method: string
  /** Below `/api/m/{merchant}/`, with `:id`. */
  readonly path: string
  readonly operationId: string
}

const prefix = '/api/m/:merchant/'

/** A template is found by its name below its merchant: to write one, or its draft, is to make one's own. */
const ofOwnName = new Set(['setTemplate', 'getTemplateDraft', 'saveTemplateDraft', 'discardTemplateDraft'])

/** Every route of one record of a merchant. */
const endpoints: readonly Endpoint[] = [
  ...apiRoutes.map(({ method, path, operationId }) => ({
    method,
    path: path.slice('/v1/'.length).replace('{id}', ':id'),
    operationId,
  })),
  ...dashboardRoutes.flatMap((route) =>
    route.access === 'member'
      ? [
          {
            method: route.method,
            path: urlOf(route).slice(prefix.length),
            operationId: route.operationId,
          },
        ]
      : [],
  ),
].filter(({ path }) => path.includes(':id'))

async function make(path: string, body: object = {}, method = 'POST'): Promise<Row> {
  const answer = await owner.ask(method, `/api/m/${other.id}/${path}`, body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body
}

/** One record of each collection, by the part of the path before its id. */
async function makeAll(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const walletId = await world.base.fund(other, 100_000n)
  const idOf = async (path: string, body: object = {}) => String((await make(path, body))['id'])
  const payments = await idOf('payments', paymentBody({ amount: 100 }))
  await world.base.settlePayment(other.id, payments as PaymentId, 100n)
  const refund = { amount: 10, cryptoAddress: `0x${'1'.repeat(40)}` }
  const endpoint = await idOf('webhook-endpoints', { url: 'http://127.0.0.1:9/' })
  const { eventId } = await make(`webhook-endpoints/${endpoint}/ping`)
  const [delivery] = await sql<{ id: string }[]>`select id from delivery where endpoint_id = ${endpoint}`
  const limit = { eachMinor: null, dayMinor: null, listedOnly: false, approvalAboveMinor: 0n }
  await writeLimit(sql, { merchantId: other.id, type: 'PIX', currency: 'BRL', ...limit })
  const reserve = await idOf('wallets', { currency: 'BRL', walletType: 'RESERVE', label: 'Reserve' })
  const dispute = newId()
  await sql`
    insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status, amount_minor,
                         currency, evidence_due_at, created_at)
    values (${other.id}, ${dispute}, ${payments}, 'c', ${newId()}, 'x', ${walletId}, 'CHARGEBACK', 'OPEN', 100, 'EUR',
            clock_timestamp() + interval '1 day', clock_timestamp())`
  const grant = newId()
  const parent = await world.base.openTenant()
  await sql`
    insert into transfer_grant (merchant_id, id, parent_id, currency, max_minor, given_by, fingerprint, created_at)
    values (${other.id}, ${grant}, ${parent.id}, 'BRL', 100, ${newId()}, sha256('x'), clock_timestamp())`
  const template = await owner.ask('GET', `/api/m/${other.id}/templates/default`)
  await make('templates/theirs', template.body['document'] as object, 'PUT')
  const member = await world.person([{ merchantId: other.id, role: 'VIEWER' }])
  const operator = await world.person([], { isOperator: true })
  const listed = { type: 'PIX', keyType: 'EMAIL', destination: 'ana@example.com', reason: 'hers' }
  const allowed = await operator.ask('POST', `/api/operator/merchants/${other.id}/destinations`, listed)
  assert.equal(allowed.status, 201, allowed.text)
  const pix = { type: 'PIX', currency: 'BRL', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' }
  const daily = { rhythm: 'DAILY', time: '06:00', timeZone: 'America/Sao_Paulo' }
  const link = { name: 'Lesson', amount: 1_000, currency: 'USDT', idempotencyKey: newId() }
  const batch = { idempotencyKey: newId(), withdrawals: [withdrawalBody(), withdrawalBody()] }
  const transfer = { fromWalletId: walletId, toWalletId: reserve, amount: 1 }
  return {
    payments,
    'sandbox/payments': payments,
    'payment-links': await idOf('payment-links', link),
    refunds: await idOf(`payments/${payments}/refunds`, refund),
    disputes: dispute,
    wallets: walletId,
    'transfer-grants': grant,
    transfers: await idOf('transfers', transfer),
    withdrawals: await idOf('withdrawals', withdrawalBody()),
    'withdrawal-batches': await idOf('withdrawal-batches', batch),
    'payout-schedules': await idOf('payout-schedules', { ...pix, ...daily, walletId }),
    events: String(eventId),
    deliveries: String(delivery?.id),
    'webhook-endpoints': endpoint,
    'webhook-recoveries': await idOf('webhook-recoveries', { endpointId: endpoint, afterSequence: 0 }),
    keys: await idOf('keys', { name: 'theirs', scopes: ['payments:read'] }),
    'sub-accounts': await idOf('sub-accounts', { name: 'Bea' }),
    'sandbox/rehearsals': await idOf('sandbox/rehearsals', { url: 'http://127.0.0.1:9/' }),
    members: member.userId,
    invitations: await idOf('invitations', { email: 'guest@example.com', role: 'VIEWER' }),
    templates: 'theirs',
  }
}

/** A body that the route accepts. */
function bodyOf({ method, path, operationId }: Endpoint): unknown {
  if (method === 'GET') return undefined
  if (operationId === 'changeMember') return { role: 'SUPPORT' }
  if (operationId === 'switchTemplate') return { isActive: false }
  const request = at(
    document,
    'paths',
    `/v1/${path.replace(':id', '{id}')}`,
    method.toLowerCase(),
    'requestBody',
  )
  return at(request, 'content', 'application/json', 'example') ?? {}
}

/** All rows of the other merchant, but what grows by itself. */
async function rowsOfOther(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'merchant_id' order by 1`
  const digests = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ digest: string }[]>`
        select coalesce(md5(string_agg(rows::text, '|' order by rows::text)), '') as digest
          from ${sql(name)} as rows where merchant_id = ${other.id}`
      return [name, row?.digest ?? ''] as const
    }),
  )
  return Object.fromEntries(digests)
}

test('with the real ids of another merchant every record is 404, and nothing of it changes', async () => {
  const { sql } = world.base
  const ids = await makeAll(sql)
  const before = await rowsOfOther(sql)
  assert.ok(Object.values(before).filter((digest) => digest !== '').length > 20, 'there is much to change')
  for (const endpoint of endpoints) {
    const { method, path, operationId } = endpoint
    const id = ids[path.slice(0, path.indexOf('/:id'))] ?? assert.fail(`no record for ${path}`)
    if (ofOwnName.has(operationId)) continue
    const answer = await stranger.ask(method, `/api/m/${own.id}/${path.replace(':id', id)}`, bodyOf(endpoint))
    assert.equal(answer.status, 404, `${operationId}: ${answer.text}`)
  }
  assert.deepEqual(await rowsOfOther(sql), before)

  const { body } = await stranger.ask('GET', `/api/m/${own.id}/templates/default`)
  const written = await stranger.ask('PUT', `/api/m/${own.id}/templates/theirs`, body['document'])
  assert.equal((written.body['template'] as Row)['revision'], 1, written.text)

  const named = [
    ['transfers', { fromWalletId: ids['wallets'], toWalletId: ids['wallets'], amount: 1 }],
    ['withdrawals', withdrawalBody({ walletId: ids['wallets'] })],
    ['webhook-recoveries', { endpointId: ids['webhook-endpoints'], afterSequence: 0 }],
    ['payments', paymentBody({ splits: [{ subAccountId: ids['sub-accounts'], amount: 1 }] })],
  ] as const
  for (const [path, request] of named) {
    const answer = await stranger.ask('POST', `/api/m/${own.id}/${path}`, request)
    assert.ok([400, 404, 422].includes(answer.status), `${path}: ${answer.status} ${answer.text}`)
  }
  assert.deepEqual(await rowsOfOther(sql), before)
})

test('the sessions and passkeys of another user are not there', async () => {
  const sessions = (await owner.ask('GET', '/api/me/sessions')).body['data'] as readonly Row[]
  const session = String(sessions[0]?.['id'])
  await stranger.ask('DELETE', `/api/me/sessions/${session}`)
  assert.equal((await owner.ask('GET', '/api/session')).status, 200)
  const options = await owner.ask('POST', '/api/me/passkeys/options')
  const response = softwareAuthenticator(world.origin).create(options.body)
  assert.equal((await owner.ask('POST', '/api/me/passkeys', { name: 'Phone', response })).status, 201)
  const passkeys = async () => (await owner.ask('GET', '/api/me/passkeys')).body['data'] as readonly Row[]
  const [passkey] = await passkeys()
  const answer = await stranger.ask('DELETE', `/api/me/passkeys/${String(passkey?.['id'])}`)
  assert.equal(answer.status, 404, answer.text)
  assert.equal((await passkeys()).length, 1)
})
