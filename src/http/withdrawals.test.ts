// Withdrawals over HTTP: the request, the wallet that pays, how it ends, and what the merchant sees of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId, type WithdrawalId } from '#/kernel/id.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { PayoutResult } from '#/rails/payout-rail.ts'
import { payoutKind } from '#/settlement/payout.ts'
import { withdrawalBody, type Answer, type Tenant } from '../../test/contract/world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import { codeOf, done, openWorld, refused, type Row } from '../../test/withdrawal-world.ts'

const world = openForTests(openWorld)

describe('a withdrawal', () => {
  test('is returned as requested, holds amount and fee, and is read, listed and notified', async () => {
    const tenant = await world.funded()
    const fee = { method: 'PIX_WITHDRAWAL', currency: 'BRL', fixedMinor: 5n, ratePpm: 10_000n } as const
    await writeFeeRule(world.base.sql, { merchantId: tenant.id, ...fee })
    const requested = withdrawalBody({
      pixKey: 'Ana@Example.com',
      metadata: { a: 1 },
      description: 'x',
      amount: 399,
    })
    const { status, body } = await world.ask(tenant, 'POST', '/v1/withdrawals', { body: requested })
    assert.equal(status, 201)
    const { id, walletId, createdAt, ...rest } = body
    assert.deepEqual(rest, {
      ...requested,
      mode: 'SANDBOX',
      status: 'PENDING',
      fee: 8,
      totalDebited: 407,
      version: 1,
    })
    assert.ok(walletId !== undefined && createdAt !== undefined)
    assert.deepEqual(await world.read(tenant, id), body)
    const { body: page } = await world.ask(tenant, 'GET', '/v1/withdrawals')
    assert.deepEqual(page['data'], [body])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 593, held: 407 })
    assert.deepEqual(await world.eventsOf(tenant, id), ['withdrawal.created'])
  })

  test('paid: what was held leaves, once, and the statement shows amount and fee separately', async () => {
    const tenant = await world.funded()
    const fee = { method: 'PIX_WITHDRAWAL', currency: 'BRL', fixedMinor: 5n, ratePpm: 0n } as const
    await writeFeeRule(world.base.sql, { merchantId: tenant.id, ...fee })
    const { body } = await world.create(tenant)
    await world.work(done)
    await world.work(done)
    const after = await world.read(tenant, body['id'])
    assert.deepEqual([after['status'], after['endToEndId'], after['providerRef']], ['COMPLETED', 'E1', 'p1'])
    assert.ok(after['completedAt'] !== undefined)
    assert.deepEqual(await world.balanceOf(tenant), { balance: 895, held: 0 })
    assert.deepEqual(await world.eventsOf(tenant, body['id']), [
      'withdrawal.created',
      'withdrawal.processing',
      'withdrawal.completed',
    ])
    const { body: statement } = await world.ask(tenant, 'GET', '/v1/wallets/statement')
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
    const { body: fees } = await world.ask(tenant, 'GET', '/v1/wallets/statement?kind=FEE')
    assert.equal((fees['data'] as Row[]).length, 1)
    const { body: summary } = await world.ask(tenant, 'GET', '/v1/wallets/summary')
    const [brl] = (summary['data'] as Row[]).filter(({ currency }) => currency === 'BRL')
    assert.deepEqual(brl?.['byKind'], [
      { kind: 'FEE', count: 1, inflow: 0, outflow: 5 },
      { kind: 'WITHDRAWAL', count: 1, inflow: 0, outflow: 100 },
      { kind: 'ADJUSTMENT', count: 1, inflow: 1000, outflow: 0 },
    ])
    const csv = await world.csv(tenant)
    assert.match(csv.text, /,"FEE",-5,/)
  })

  test('refused: everything is in the wallet again, with the reason', async () => {
    const tenant = await world.funded()
    const { body } = await world.create(tenant)
    await world.work(refused)
    const after = await world.read(tenant, body['id'])
    assert.deepEqual(
      [after['status'], after['failureCode'], after['failureMessage']],
      ['FAILED', 'AC03', 'No.'],
    )
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1000, held: 0 })
    assert.equal((await world.eventsOf(tenant, body['id'])).at(-1), 'withdrawal.failed')
  })

  test('returned after it was paid: it stays COMPLETED, and is a credit', async () => {
    const tenant = await world.funded()
    const { body } = await world.create(tenant)
    const back = (returned: bigint): PayoutResult => ({ ...done, state: 'returned', returned })
    // Found before the merchant was notified that it was paid.
    await world.work(back(30n))
    let after = await world.read(tenant, body['id'])
    assert.deepEqual([after['status'], after['amountReturned']], ['COMPLETED', 30])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 930, held: 0 })
    const kind = payoutKind(testPayoutRails())
    const settle = (news: PayoutResult) =>
      world.base.lane.submit(kind, { id: body['id'] as WithdrawalId, news })
    assert.equal(await settle(back(30n)), 'repeated')
    assert.equal(await settle(back(100n)), 'settled')
    assert.equal(await settle(done), 'repeated')
    assert.equal(await settle(refused), 'noted')
    after = await world.read(tenant, body['id'])
    assert.deepEqual([after['status'], after['amountReturned']], ['COMPLETED', 100])
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1000, held: 0 })
    assert.deepEqual((await world.eventsOf(tenant, body['id'])).slice(2), [
      'withdrawal.completed',
      'withdrawal.returned',
      'withdrawal.returned',
    ])
  })

  test('is refused with a place and a reason', async () => {
    const tenant = await world.funded()
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
      const answer = await world.create(tenant, more)
      assert.deepEqual(
        [...codeOf(answer), pointersOf(answer)],
        [status, code, pointers],
        JSON.stringify(more),
      )
    }
    assert.equal((await world.create(tenant, { amount: 1001 })).body['missing'], 1)
    assert.deepEqual(await world.balanceOf(tenant), { balance: 1000, held: 0 })
    assert.equal((await world.ask(tenant, 'GET', '/v1/withdrawals')).body['nextCursor'], undefined)
  })
})

describe('the wallet', () => {
  const open = async (tenant: Tenant, walletType = 'SPENDABLE') =>
    String(
      (await world.ask(tenant, 'POST', '/v1/wallets', { body: { currency: 'BRL', walletType, label: 'x' } }))
        .body['id'],
    )
  const move = (tenant: Tenant, fromWalletId: string, toWalletId: string, amount: number) =>
    world.ask(tenant, 'POST', '/v1/transfers', { body: { fromWalletId, toWalletId, amount } })

  test('is the default one while it covers the debit, then the oldest that does, and never two', async () => {
    const tenant = await world.base.openTenant()
    const main = await world.base.fund(tenant, 1_000n)
    const [second, third] = [await open(tenant), await open(tenant)]
    const reserve = await open(tenant, 'RESERVE')
    await move(tenant, main, third, 300)
    await move(tenant, main, second, 300)
    await move(tenant, main, reserve, 300)
    const walletOf = async (amount: number) => {
      const { status, body } = await world.create(tenant, { amount })
      return status === 201 ? body['walletId'] : body['code']
    }
    assert.equal(await walletOf(60), main)
    assert.equal(await walletOf(60), second)
    assert.equal(await walletOf(200), second)
    assert.equal(await walletOf(200), third)
    // 40, 40, 100 and a reserve of 300: none of them covers it alone.
    assert.equal(await walletOf(150), 'insufficient_funds')
    // It is not spread over several, and the answer says that together they hold enough.
    const { body: spread } = await world.create(tenant, { amount: 150 })
    assert.deepEqual([spread['missing'], spread['together']], [110, 180])
    assert.match(String(spread['detail']), /leaves one wallet; .* hold 180 together/)
    const { body: beyond } = await world.create(tenant, { amount: 181 })
    assert.deepEqual([beyond['code'], beyond['together']], ['insufficient_funds', undefined])
  })

  test('that the request names is used, or none', async () => {
    const tenant = await world.base.openTenant()
    const main = await world.base.fund(tenant, 100n)
    const empty = await open(tenant)
    const reserve = await open(tenant, 'RESERVE')
    await move(tenant, main, reserve, 50)
    const euro = (await world.ask(tenant, 'GET', '/v1/wallets')).body['data'] as Row[]
    const other = euro.find((each) => each['currency'] === 'EUR')?.['id']
    const foreign = await world.base.fund(await world.base.openTenant(), 100n)
    const named = async (walletId: unknown, amount = 10) =>
      codeOf(await world.create(tenant, { walletId, amount }))
    assert.deepEqual(await named(main), [201, undefined])
    assert.deepEqual(await named(main.toUpperCase()), [201, undefined])
    assert.deepEqual(await named(empty), [422, 'insufficient_funds'])
    assert.deepEqual(await named(reserve), [422, 'wallet_not_spendable'])
    assert.deepEqual(await named(other), [404, 'not_found'])
    assert.deepEqual(await named(foreign), [404, 'not_found'])
    const second = await open(tenant)
    await move(tenant, reserve, second, 20)
    await world.ask(tenant, 'PATCH', '/v1/wallets/{id}', { id: second, body: { isActive: false } })
    assert.deepEqual(await named(second), [422, 'wallet_not_spendable'])
  })
})

describe('the same key', () => {
  test('makes one withdrawal, however many calls come at once, in the body or the header', async () => {
    const tenant = await world.funded()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) =>
        nth % 2 === 0
          ? world.create(tenant, { idempotencyKey: 'k' })
          : world.create(tenant, {}, { 'idempotency-key': 'k' }),
      ),
    )
    assert.equal(new Set(answers.map(({ body }) => body['id'])).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.deepEqual(await world.balanceOf(tenant), { balance: 900, held: 100 })
  })

  test('with another body is a conflict that says where they differ; a refused call leaves no record', async () => {
    const tenant = await world.funded(100n)
    assert.equal((await world.create(tenant, { idempotencyKey: 'k', amount: 500 })).status, 422)
    assert.equal((await world.create(tenant, { idempotencyKey: 'k', amount: 50 })).status, 201)
    const other = await world.create(tenant, { idempotencyKey: 'k', amount: 51 })
    assert.deepEqual(codeOf(other), [409, 'idempotency_conflict'])
    assert.deepEqual(
      (other.body['errors'] as Row[]).map(({ pointer }) => pointer),
      ['/amount'],
    )
  })

  test('returns the present state, and is always the same payout at the provider', async () => {
    const tenant = await world.funded()
    const { body } = await world.create(tenant, { idempotencyKey: 'k' })
    await world.work(done)
    const again = await world.create(tenant, { idempotencyKey: 'k' })
    assert.deepEqual([again.status, again.body['status'], again.body['id']], [201, 'COMPLETED', body['id']])
    const references = await world.base.sql<{ reference: string }[]>`
      select reference from withdrawal where merchant_id = ${tenant.id}`
    assert.deepEqual(references.length, 1)
    assert.match(references[0]?.reference ?? '', /^[0-9a-f]{32}$/)
  })
})

test('lists are filtered and paged, newest first', async () => {
  const tenant = await world.funded()
  const ids: unknown[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await world.create(tenant)).body['id'])
  await world.act(tenant, 'cancel', ids[2])
  const list = async (query: string) => (await world.ask(tenant, 'GET', `/v1/withdrawals${query}`)).body
  const idsOf = (page: Row) => (page['data'] as Row[]).map(({ id }) => id)
  const page = await list('?limit=2')
  assert.deepEqual(idsOf(page), ids.slice(0, 2))
  assert.deepEqual(idsOf(await list(`?limit=3&cursor=${String(page['nextCursor'])}`)), ids.slice(2))
  assert.deepEqual(idsOf(await list('?status=CANCELED')), [ids[2]])
  assert.deepEqual(idsOf(await list('?type=CRYPTO')), [])
  assert.deepEqual(idsOf(await list('?currency=BRL&from=2020-01-01')), ids)
  assert.deepEqual(idsOf(await list('?to=2020-01-01')), [])
})
