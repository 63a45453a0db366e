// Withdrawals over HTTP: which wallet, how much, who may decide, and what the merchant sees of them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertDocumented } from '../../test/contract/document.ts'
import {
  openSite,
  withdrawalBody,
  type Answer,
  type Api,
  type Site,
  type Tenant,
} from '../../test/contract/site.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import { newId, type WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { PayoutResult } from '#/rails/rail.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { insertDestination, writeLimit } from '#/withdrawals/limit-queries.ts'
import type { Limit } from '#/withdrawals/limits.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'

type Row = Readonly<Record<string, unknown>>

let site: Site
let api: Api

before(async () => {
  site = await openSite()
  api = await site.openApi()
})
after(() => site.close())

async function ask(
  tenant: Pick<Tenant, 'key'>,
  method: string,
  path: string,
  more: {
    readonly id?: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Answer> {
  const { id = '', body, headers = {} } = more
  const answer = await api.ask(method, path.replace('{id}', id), {
    key: tenant.key,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  assertDocumented(method, path.split('?')[0] ?? path, answer)
  return answer
}

const create = (tenant: Pick<Tenant, 'key'>, more: Row = {}, headers = {}) =>
  ask(tenant, 'POST', '/v1/withdrawals', { body: withdrawalBody(more), headers })
const read = async (tenant: Tenant, id: unknown) =>
  (await ask(tenant, 'GET', '/v1/withdrawals/{id}', { id: String(id) })).body
const act = (tenant: Pick<Tenant, 'key'>, verb: 'cancel' | 'approve' | 'reject', id: unknown) =>
  ask(tenant, 'POST', `/v1/withdrawals/{id}/${verb}`, { id: String(id) })
const codeOf = ({ status, body }: Answer) => [status, body['code']]

async function funded(minor = 1_000n): Promise<Tenant> {
  const tenant = await site.openTenant()
  await site.fund(tenant, minor)
  return tenant
}

async function balanceOf(tenant: Tenant): Promise<Row> {
  const { body } = await ask(tenant, 'GET', '/v1/wallets/balance')
  const found = (body['data'] as Row[]).find((each) => each['currency'] === 'BRL')
  return { balance: found?.['balance'], held: found?.['heldBalance'] }
}

async function eventsOf(tenant: Tenant, id: unknown): Promise<readonly unknown[]> {
  const { body } = await api.ask('GET', '/v1/events?limit=100', { key: tenant.key })
  return (body['data'] as Row[])
    .filter((each) => (each['data'] as Row)['id'] === id)
    .map((each) => each['type'])
}

/** A worker's round, in which payouts end as told. */
async function work(
  result: PayoutResult | Error,
  more: Parameters<typeof testPayoutRails>[1] = {},
): Promise<void> {
  const rails = testPayoutRails(async () => {
    if (result instanceof Error) throw result
    return result
  }, more)
  const kind = payoutKind(rails)
  await site.sql`update withdrawal_due set due_at = now() - interval '1 second'`
  await sendDueWithdrawals({
    sql: site.sql,
    rails,
    lane: site.lane,
    decisionKind: decisionKind(),
    clock: systemClock,
    log: silentLog,
    settle: (withdrawal, news) => settlePayout({ lane: site.lane, kind, log: silentLog }, withdrawal, news),
  })
}

const done: PayoutResult = {
  state: 'done',
  endToEndId: 'E1',
  providerRef: 'p1',
  evidence: Buffer.from('done'),
}
const refused: PayoutResult = { state: 'refused', code: 'AC03', message: 'No.', evidence: Buffer.from('no') }

function limit(tenant: Tenant, more: Partial<Limit>): Promise<void> {
  return writeLimit(site.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: null,
    approvalAboveMinor: null,
    listedOnly: false,
    ...more,
  })
}

describe('a withdrawal', () => {
  test('echoes what was asked for, holds amount and fee, and is read, listed and told', async () => {
    const tenant = await funded()
    const fee = { method: 'PIX_WITHDRAWAL', currency: 'BRL', fixedMinor: 5n, ratePpm: 10_000n } as const
    await writeFeeRule(site.sql, { merchantId: tenant.id, ...fee })
    const asked = withdrawalBody({
      pixKey: 'Ana@Example.com',
      metadata: { a: 1 },
      description: 'x',
      amount: 300,
    })
    const { status, body } = await ask(tenant, 'POST', '/v1/withdrawals', { body: asked })
    assert.equal(status, 201)
    const { id, walletId, createdAt, ...rest } = body
    assert.deepEqual(rest, {
      ...asked,
      mode: 'SANDBOX',
      status: 'PENDING',
      fee: 8,
      totalDebited: 308,
      version: 1,
    })
    assert.ok(walletId !== undefined && createdAt !== undefined)
    assert.deepEqual(await read(tenant, id), body)
    const { body: page } = await ask(tenant, 'GET', '/v1/withdrawals')
    assert.deepEqual(page['data'], [body])
    assert.deepEqual(await balanceOf(tenant), { balance: 692, held: 308 })
    assert.deepEqual(await eventsOf(tenant, id), ['withdrawal.created'])
  })

  test('paid: what was held leaves, once, and the statement shows amount and fee apart', async () => {
    const tenant = await funded()
    const fee = { method: 'PIX_WITHDRAWAL', currency: 'BRL', fixedMinor: 5n, ratePpm: 0n } as const
    await writeFeeRule(site.sql, { merchantId: tenant.id, ...fee })
    const { body } = await create(tenant)
    await work(done)
    await work(done)
    const after = await read(tenant, body['id'])
    assert.deepEqual([after['status'], after['endToEndId'], after['providerRef']], ['COMPLETED', 'E1', 'p1'])
    assert.ok(after['completedAt'] !== undefined)
    assert.deepEqual(await balanceOf(tenant), { balance: 895, held: 0 })
    assert.deepEqual(await eventsOf(tenant, body['id']), [
      'withdrawal.created',
      'withdrawal.processing',
      'withdrawal.completed',
    ])
    const { body: statement } = await ask(tenant, 'GET', '/v1/wallets/statement')
    const rows = (statement['data'] as Row[]).map(({ kind, amount, withdrawalId }) => [
      kind,
      amount,
      withdrawalId,
    ])
    assert.deepEqual(rows, [
      ['FEE', -5, body['id']],
      ['WITHDRAWAL', -100, body['id']],
      ['ADJUSTMENT', 1000, undefined],
    ])
    const { body: fees } = await ask(tenant, 'GET', '/v1/wallets/statement?kind=FEE')
    assert.equal((fees['data'] as Row[]).length, 1)
    const { body: summary } = await ask(tenant, 'GET', '/v1/wallets/summary')
    const [brl] = (summary['data'] as Row[]).filter(({ currency }) => currency === 'BRL')
    assert.deepEqual(brl?.['byKind'], [
      { kind: 'FEE', count: 1, inflow: 0, outflow: 5 },
      { kind: 'WITHDRAWAL', count: 1, inflow: 0, outflow: 100 },
      { kind: 'ADJUSTMENT', count: 1, inflow: 1000, outflow: 0 },
    ])
    const csv = await api.ask('GET', '/v1/wallets/statement', {
      key: tenant.key,
      headers: { accept: 'text/csv' },
    })
    assert.match(csv.text, /,FEE,-5,/)
  })

  test('refused: everything is in the wallet again, and why is said', async () => {
    const tenant = await funded()
    const { body } = await create(tenant)
    await work(refused)
    const after = await read(tenant, body['id'])
    assert.deepEqual(
      [after['status'], after['failureCode'], after['failureMessage']],
      ['FAILED', 'AC03', 'No.'],
    )
    assert.deepEqual(await balanceOf(tenant), { balance: 1000, held: 0 })
    assert.equal((await eventsOf(tenant, body['id'])).at(-1), 'withdrawal.failed')
  })

  test('come back after it was paid stays COMPLETED, and is a credit', async () => {
    const tenant = await funded()
    const { body } = await create(tenant)
    const back = (returned: bigint): PayoutResult => ({ ...done, state: 'returned', returned })
    // Found before anybody was told that it was paid.
    await work(back(30n))
    let after = await read(tenant, body['id'])
    assert.deepEqual([after['status'], after['amountReturned']], ['COMPLETED', 30])
    assert.deepEqual(await balanceOf(tenant), { balance: 930, held: 0 })
    const kind = payoutKind(testPayoutRails())
    const settle = (news: PayoutResult) => site.lane.submit(kind, { id: body['id'] as WithdrawalId, news })
    assert.equal(await settle(back(30n)), 'repeated')
    assert.equal(await settle(back(100n)), 'settled')
    assert.equal(await settle(done), 'repeated')
    assert.equal(await settle(refused), 'noted')
    after = await read(tenant, body['id'])
    assert.deepEqual([after['status'], after['amountReturned']], ['COMPLETED', 100])
    assert.deepEqual(await balanceOf(tenant), { balance: 1000, held: 0 })
    assert.deepEqual((await eventsOf(tenant, body['id'])).slice(2), [
      'withdrawal.completed',
      'withdrawal.returned',
      'withdrawal.returned',
    ])
  })

  test('is refused with a place and a reason', async () => {
    const tenant = await funded()
    const pointersOf = ({ body }: Answer) => ((body['errors'] ?? []) as Row[]).map(({ pointer }) => pointer)
    const cases: readonly (readonly [Row, number, string, readonly string[]])[] = [
      [{ pixKey: undefined }, 400, 'invalid_request', ['/pixKey']],
      [{ pixKeyType: 'CPF' }, 400, 'invalid_request', ['/pixKey']],
      [{ pixKeyType: 'IBAN' }, 400, 'invalid_request', ['/pixKeyType']],
      [{ amount: 0 }, 400, 'invalid_request', ['/amount']],
      [{ webhookUrl: 'ftp://x.example/' }, 400, 'invalid_request', ['/webhookUrl']],
      [{ currency: 'EUR' }, 422, 'currency_not_supported', ['/currency']],
      [{ type: 'CRYPTO', cryptoAddress: '0x1' }, 422, 'method_not_available', ['/type']],
      [{ type: 'CRYPTO' }, 400, 'invalid_request', ['/cryptoAddress']],
      [{ walletId: newId() }, 404, 'not_found', ['/walletId']],
      [{ amount: 1001 }, 422, 'insufficient_funds', []],
    ]
    for (const [more, status, code, pointers] of cases) {
      const answer = await create(tenant, more)
      assert.deepEqual(
        [...codeOf(answer), pointersOf(answer)],
        [status, code, pointers],
        JSON.stringify(more),
      )
    }
    assert.equal((await create(tenant, { amount: 1001 })).body['missing'], 1)
    assert.deepEqual(await balanceOf(tenant), { balance: 1000, held: 0 })
    assert.equal((await ask(tenant, 'GET', '/v1/withdrawals')).body['nextCursor'], undefined)
  })
})

describe('the wallet', () => {
  const open = async (tenant: Tenant, walletType = 'SPENDABLE') =>
    String(
      (await ask(tenant, 'POST', '/v1/wallets', { body: { currency: 'BRL', walletType, label: 'x' } })).body[
        'id'
      ],
    )
  const move = (tenant: Tenant, fromWalletId: string, toWalletId: string, amount: number) =>
    ask(tenant, 'POST', '/v1/transfers', { body: { fromWalletId, toWalletId, amount } })

  test('is the default one while it covers the debit, then the oldest that does, and never two', async () => {
    const tenant = await site.openTenant()
    const main = await site.fund(tenant, 1_000n)
    const [second, third] = [await open(tenant), await open(tenant)]
    const reserve = await open(tenant, 'RESERVE')
    await move(tenant, main, third, 300)
    await move(tenant, main, second, 300)
    await move(tenant, main, reserve, 300)
    const walletOf = async (amount: number) => {
      const { status, body } = await create(tenant, { amount })
      return status === 201 ? body['walletId'] : body['code']
    }
    assert.equal(await walletOf(60), main)
    assert.equal(await walletOf(60), second)
    assert.equal(await walletOf(200), second)
    assert.equal(await walletOf(200), third)
    // 40, 40, 100 and a reserve of 300: nobody of them covers it alone.
    assert.equal(await walletOf(150), 'insufficient_funds')
  })

  test('that is named is the one or none', async () => {
    const tenant = await site.openTenant()
    const main = await site.fund(tenant, 100n)
    const empty = await open(tenant)
    const reserve = await open(tenant, 'RESERVE')
    await move(tenant, main, reserve, 50)
    const euro = (await ask(tenant, 'GET', '/v1/wallets')).body['data'] as Row[]
    const other = euro.find((each) => each['currency'] === 'EUR')?.['id']
    const foreign = await site.fund(await site.openTenant(), 100n)
    const named = async (walletId: unknown, amount = 10) => codeOf(await create(tenant, { walletId, amount }))
    assert.deepEqual(await named(main), [201, undefined])
    assert.deepEqual(await named(main.toUpperCase()), [201, undefined])
    assert.deepEqual(await named(empty), [422, 'insufficient_funds'])
    assert.deepEqual(await named(reserve), [422, 'wallet_not_spendable'])
    assert.deepEqual(await named(other), [404, 'not_found'])
    assert.deepEqual(await named(foreign), [404, 'not_found'])
    const second = await open(tenant)
    await move(tenant, reserve, second, 20)
    await ask(tenant, 'PATCH', '/v1/wallets/{id}', { id: second, body: { isActive: false } })
    assert.deepEqual(await named(second), [422, 'wallet_not_spendable'])
  })
})

describe('the same key', () => {
  test('makes one withdrawal, however many calls come at once, in the body or the header', async () => {
    const tenant = await funded()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) =>
        nth % 2 === 0
          ? create(tenant, { idempotencyKey: 'k' })
          : create(tenant, {}, { 'idempotency-key': 'k' }),
      ),
    )
    assert.equal(new Set(answers.map(({ body }) => body['id'])).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.deepEqual(await balanceOf(tenant), { balance: 900, held: 100 })
  })

  test('with another body is a conflict that says where they differ; a refused call leaves no record', async () => {
    const tenant = await funded(100n)
    assert.equal((await create(tenant, { idempotencyKey: 'k', amount: 500 })).status, 422)
    assert.equal((await create(tenant, { idempotencyKey: 'k', amount: 50 })).status, 201)
    const other = await create(tenant, { idempotencyKey: 'k', amount: 51 })
    assert.deepEqual(codeOf(other), [409, 'idempotency_conflict'])
    assert.deepEqual(
      (other.body['errors'] as Row[]).map(({ pointer }) => pointer),
      ['/amount'],
    )
  })

  test('answers with the present state, and is the same payout at the provider for ever', async () => {
    const tenant = await funded()
    const { body } = await create(tenant, { idempotencyKey: 'k' })
    await work(done)
    const again = await create(tenant, { idempotencyKey: 'k' })
    assert.deepEqual([again.status, again.body['status'], again.body['id']], [201, 'COMPLETED', body['id']])
    const references = await site.sql<{ reference: string }[]>`
      select reference from withdrawal where merchant_id = ${tenant.id}`
    assert.deepEqual(references.length, 1)
    assert.match(references[0]?.reference ?? '', /^[0-9a-f]{32}$/)
  })
})

describe('before anything was sent', () => {
  test('the merchant takes it back, as often as wished; afterwards it cannot be', async () => {
    const tenant = await funded()
    const [first, second] = [(await create(tenant)).body['id'], (await create(tenant)).body['id']]
    for (let i = 0; i < 2; i++) {
      const { status, body } = await act(tenant, 'cancel', first)
      assert.deepEqual([status, body['status']], [200, 'CANCELED'])
    }
    assert.deepEqual(await eventsOf(tenant, first), ['withdrawal.created', 'withdrawal.canceled'])
    await work(done)
    assert.equal((await read(tenant, first))['status'], 'CANCELED')
    const late = await act(tenant, 'cancel', second)
    assert.deepEqual([...codeOf(late), late.body['withdrawalStatus']], [409, 'invalid_state', 'COMPLETED'])
    assert.deepEqual(await balanceOf(tenant), { balance: 900, held: 0 })
    assert.equal((await act(tenant, 'cancel', newId())).status, 404)
  })

  test('a second person decides about what is over the threshold, and never with the key that asked', async () => {
    const tenant = await funded()
    await limit(tenant, { approvalAboveMinor: 100n })
    assert.equal((await create(tenant, { amount: 100 })).body['status'], 'PENDING')
    const { body } = await create(tenant, { amount: 101 })
    assert.equal(body['status'], 'PENDING_APPROVAL')
    assert.deepEqual(await eventsOf(tenant, body['id']), [
      'withdrawal.created',
      'withdrawal.approval_required',
    ])
    await work(done)
    assert.equal((await read(tenant, body['id']))['status'], 'PENDING_APPROVAL')
    for (const verb of ['approve', 'reject'] as const)
      assert.deepEqual(codeOf(await act(tenant, verb, body['id'])), [403, 'forbidden'])
    const writer = await site.issue(tenant.id, ['withdrawals:write'])
    assert.equal((await act(writer, 'approve', body['id'])).status, 403)
    const approver = await site.issue(tenant.id, ['withdrawals:approve'])
    for (let i = 0; i < 2; i++) {
      const approved = await act(approver, 'approve', body['id'])
      assert.deepEqual([approved.status, approved.body['status']], [200, 'PENDING'])
    }
    await work(done)
    assert.equal((await read(tenant, body['id']))['status'], 'COMPLETED')
    assert.deepEqual(codeOf(await act(approver, 'reject', body['id'])), [409, 'invalid_state'])
  })

  test('a second person rejects it, and everything is in the wallet again', async () => {
    const tenant = await funded()
    await limit(tenant, { approvalAboveMinor: 0n })
    const { body } = await create(tenant)
    const approver = await site.issue(tenant.id, ['withdrawals:approve'])
    for (let i = 0; i < 2; i++) {
      const rejected = await act(approver, 'reject', body['id'])
      assert.deepEqual([rejected.status, rejected.body['status']], [200, 'CANCELED'])
    }
    assert.deepEqual(codeOf(await act(approver, 'approve', body['id'])), [409, 'invalid_state'])
    assert.deepEqual(await balanceOf(tenant), { balance: 1000, held: 0 })
    // What needs no approval cannot be rejected.
    await limit(tenant, {})
    const free = await create(tenant)
    assert.deepEqual(codeOf(await act(approver, 'reject', free.body['id'])), [409, 'invalid_state'])
  })
})

describe('limits', () => {
  test('of one withdrawal and of one day say how much is left; what did not leave counts no more', async () => {
    const tenant = await funded()
    await limit(tenant, { eachMinor: 300n, dayMinor: 500n })
    const each = await create(tenant, { amount: 301 })
    assert.deepEqual([...codeOf(each), each.body['left']], [422, 'limit_exceeded', 300])
    const first = await create(tenant, { amount: 300 })
    const over = await create(tenant, { amount: 201 })
    assert.deepEqual(
      [...codeOf(over), over.body['limit'], over.body['left']],
      [422, 'limit_exceeded', 500, 200],
    )
    await act(tenant, 'cancel', first.body['id'])
    assert.equal((await create(tenant, { amount: 300 })).status, 201)
    await work(refused)
    assert.equal((await create(tenant, { amount: 300 })).status, 201)
    assert.equal((await create(tenant, { amount: 200 })).status, 201)
    assert.equal((await create(tenant, { amount: 1 })).status, 422)
  })

  test('that are set at noon know the morning', async () => {
    const tenant = await funded()
    assert.equal((await create(tenant, { amount: 400 })).status, 201)
    await limit(tenant, { dayMinor: 500n })
    assert.equal((await create(tenant, { amount: 101 })).status, 422)
    assert.equal((await create(tenant, { amount: 100 })).status, 201)
  })

  test('of destinations know a key in every spelling', async () => {
    const tenant = await funded()
    await limit(tenant, { listedOnly: true })
    const refusal = await create(tenant, { pixKey: 'ana@example.com' })
    assert.deepEqual(codeOf(refusal), [422, 'destination_not_allowed'])
    await insertDestination(site.sql, {
      merchantId: tenant.id,
      type: 'PIX',
      destination: 'ana@example.com',
      note: null,
    })
    assert.equal((await create(tenant, { pixKey: ' Ana@Example.COM' })).status, 201)
    assert.equal((await create(tenant, { pixKey: 'bob@example.com' })).status, 422)
  })
})

test('lists are filtered and paged, newest first', async () => {
  const tenant = await funded()
  const ids: unknown[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await create(tenant)).body['id'])
  await act(tenant, 'cancel', ids[2])
  const list = async (query: string) => (await ask(tenant, 'GET', `/v1/withdrawals${query}`)).body
  const idsOf = (page: Row) => (page['data'] as Row[]).map(({ id }) => id)
  const page = await list('?limit=2')
  assert.deepEqual(idsOf(page), ids.slice(0, 2))
  assert.deepEqual(idsOf(await list(`?limit=3&cursor=${String(page['nextCursor'])}`)), ids.slice(2))
  assert.deepEqual(idsOf(await list('?status=CANCELED')), [ids[2]])
  assert.deepEqual(idsOf(await list('?type=CRYPTO')), [])
  assert.deepEqual(idsOf(await list('?currency=BRL&from=2020-01-01')), ids)
  assert.deepEqual(idsOf(await list('?to=2020-01-01')), [])
})
