// Money does not go to a place of ours, nor in an amount that its rail cannot write: refused at every door with 422, and ended with the money
// back when the place became ours after the request.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { usdtAt } from '#/coins/networks.ts'
import { bytesOf, toChecksum, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { provider, walletHeld } from '#/ledger/chart.ts'
import { railMost } from '#/money-out/limits.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { addDestination } from '#/operator/limits.ts'
import { activateSubAccount } from '#/operator/merchants.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { bookOf } from '#/rails/kit/connections.ts'
import type { PayoutRails, PayoutType } from '#/rails/payout-rail.ts'
import { createSepaPayoutRail } from '#/rails/sepa/payout.ts'
import { routePayout } from '#/treasury/payout.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { batchDecisionKind } from '#/withdrawals/decide-batch.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalBatchKind } from '#/withdrawals/request-batch.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { asId } from '../as-id.ts'
import { partly } from '../partly.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { openRefundWorld } from '../refund-world.ts'
import { done, openWorld, type World } from '../withdrawal-world.ts'
import type { Answer, Api, Tenant } from './world.ts'

type Body = Readonly<Record<string, unknown>>

const at = (digits: string): Address => `0x${digits.padStart(40, '7')}`
const [deposit, elsewhere, hot, treasury, token, factory, former] = [
  at('d1'),
  at('d2'),
  at('a1'),
  at('b1'),
  at('b2'),
  at('b3'),
  at('b4'),
]
/** Of ISO 13616 and of the Banco de Portugal. */
const [ownIban, foreignIban] = ['PT50000201231234567890154', 'DE89370400440532013000']
const [ownKey, sendingKey] = ['Caixa@Vintem.example', '71cdf9ba-c695-4e3c-b010-abb521a3f1be']
const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const

let world: World
let api: Api
let tenant: Tenant
let rails: PayoutRails

before(async () => {
  world = await openWorld()
  rails = railsOf(world)
  api = await world.base.openApi({
    withdrawals: {
      rails,
      kind: withdrawalKind(),
      decisionKind: decisionKind(rails),
      batchKind: withdrawalBatchKind(),
      batchDecisionKind: batchDecisionKind(rails),
    },
  })
  tenant = await world.base.openTenant()
  await places(world.base.sql)
})
after(() => world.base.close())

function railsOf({ base }: World): PayoutRails {
  const connection = {
    id: 'a1-chain' as ConnectionId,
    mode: 'SANDBOX' as const,
    provider: 'test',
    settings: { iban: ownIban },
    secrets: {},
  }
  const chain = {
    key: 'own',
    mode: 'SANDBOX' as const,
    connection: connection.id,
    chainId: 31_337n,
    network: 'BSC' as const,
    tokens: [usdtAt(token)] as const,
    treasury,
    factory,
    implementation: at('b5'),
    confirmationsMin: 1,
  }
  const pix = must(testPayoutRails().get('PIX'), 'it pays out')
  const crypto = {
    ...pix,
    type: 'CRYPTO' as const,
    route: (request: Parameters<typeof routePayout>[1]) => routePayout([{ chain, hot }], request),
  }
  const book = bookOf(partly<ProviderConnection>(connection))
  const sepa = createSepaPayoutRail({ connections: book, clock: systemClock, sql: base.sql })
  return new Map([
    ['PIX', pix],
    ['CRYPTO', crypto],
    ['SEPA', sepa],
  ])
}

/** What is ours: of two chains, of which this process pays on one, and of connections, one of which is archived. */
async function places(sql: World['base']['sql']): Promise<void> {
  for (const [key, its, where] of [
    ['own', treasury, deposit],
    ['other', former, elsewhere],
  ] as const) {
    await sql`
      insert into chain (key, chain_id, factory, token, treasury)
      values (${key}, 31337, ${bytesOf(factory)}, ${bytesOf(its)}, ${bytesOf(its)})`
    await sql`
      insert into chain_token (chain, symbol, address, decimals) values (${key}, 'USDT', ${bytesOf(token)}, 18)`
    await sql`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
      values (${key}, ${bytesOf(where)}, ${newId()}, ${newId()}, ${newId()}, 1, now())`
  }
  await sql`
    insert into hot_wallet (chain, address, purpose, next_nonce, created_at)
    values ('other', ${bytesOf(hot)}, 'gas', 0, now())`
  await connect(sql, 'SEPA_TRANSFER', { iban: ownIban }, false)
  await connect(sql, 'PIX', { pixKey: ownKey })
  await connect(sql, 'PIX_PAYOUT', { pixKey: sendingKey })
}

async function connect(
  sql: World['base']['sql'],
  method: string,
  settings: object,
  isActive = true,
): Promise<void> {
  await sql`
    insert into connection (id, mode, method, provider, settings, is_active, created_at, changed_at)
    values (${`a1-${newId()}`}, 'SANDBOX', ${method}, 'test', ${JSON.stringify(settings)}::text::jsonb, ${isActive}, now(),
            now())`
}

const crypto = (cryptoAddress: string): Body => ({ type: 'CRYPTO', currency: 'USDT', cryptoAddress })
const sepa = (iban: string): Body => ({ type: 'SEPA', currency: 'EUR', iban, beneficiary: 'Ana' })
const pix = (pixKey: string, pixKeyType: string): Body => ({
  type: 'PIX',
  currency: 'BRL',
  pixKey,
  pixKeyType,
})

/** Every place of ours: the order to it, the field that names it, and how the list of destinations has it. */
const ours: readonly (readonly [what: string, order: Body, pointer: string, listed: string])[] = [
  ['a deposit address', crypto(toChecksum(deposit)), '/cryptoAddress', toChecksum(deposit)],
  ['a deposit address in lower case', crypto(deposit), '/cryptoAddress', toChecksum(deposit)],
  ['a deposit address of another chain', crypto(elsewhere), '/cryptoAddress', toChecksum(elsewhere)],
  ['the treasury', crypto(treasury), '/cryptoAddress', toChecksum(treasury)],
  ['the treasury of another chain', crypto(former), '/cryptoAddress', toChecksum(former)],
  ['the token', crypto(token), '/cryptoAddress', toChecksum(token)],
  ['the factory', crypto(factory), '/cryptoAddress', toChecksum(factory)],
  ['a wallet that sends', crypto(hot), '/cryptoAddress', toChecksum(hot)],
  ['a collecting IBAN', sepa('PT50 0002 0123 1234 5678 9015 4'), '/iban', ownIban],
  ['a collecting PIX key', pix(ownKey.toLowerCase(), 'EMAIL'), '/pixKey', ownKey.toLowerCase()],
  ['a sending PIX key', pix(sendingKey.toUpperCase(), 'RANDOM'), '/pixKey', sendingKey],
]

const ask = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}, key = tenant.key) =>
  api.ask('POST', path, { key, body, headers })

/** The batch as a CSV file. */
const byTable = async (table: string) => {
  const headers = { 'content-type': 'text/csv', 'idempotency-key': newId() }
  return api.ask('POST', '/v1/withdrawal-batches', { key: tenant.key, raw: table, headers })
}

function refusal({ status, body }: Answer): readonly unknown[] {
  const [first] = (body['errors'] ?? []) as readonly { readonly pointer: string }[]
  return [status, body['code'], first?.pointer]
}

async function subAccount(): Promise<string> {
  const made = await ask('/v1/sub-accounts', { name: 'Bea' })
  const id = String(made.body['id'])
  await activateSubAccount(world.base.sql, operator, asId(id), 'papers seen')
  return id
}

const count = async () => {
  const [row] = await world.base.sql<{ n: number }[]>`
    select (select count(*) from withdrawal)::integer + (select count(*) from payout_schedule)::integer
           + (select count(*) from withdrawal_destination)::integer as n`
  return row?.n
}

describe('a destination of ours', () => {
  for (const [what, order, pointer, listed] of ours)
    test(`${what} is refused at every door, and nothing is kept`, async () => {
      const wallets = (await api.ask('GET', '/v1/wallets', { key: tenant.key })).body['data'] as Body[]
      const walletId = wallets.find(({ currency }) => currency === order['currency'])?.['id']
      const child = await subAccount()
      const before = await count()
      const refused = [422, 'destination_not_allowed', pointer]
      const body = { ...order, amount: 100 }
      assert.deepEqual(refusal(await ask('/v1/withdrawals', body)), refused, 'by key')
      assert.deepEqual(
        refusal(await ask('/v1/withdrawals', body, { 'sub-account': child })),
        refused,
        'by header',
      )
      const batch = { idempotencyKey: newId(), withdrawals: [body] }
      const inBatch = [422, 'destination_not_allowed', `/withdrawals/0${pointer}`]
      assert.deepEqual(refusal(await ask('/v1/withdrawal-batches', batch)), inBatch, 'in a batch')
      const table = `${Object.keys(body).join(',')}\n${Object.values(body).join(',')}\n`
      assert.deepEqual(refusal(await byTable(table)), inBatch, 'in a table')
      const schedule = { ...order, walletId, rhythm: 'DAILY', time: '06:00', timeZone: 'America/Sao_Paulo' }
      const scheduled = await ask('/v1/payout-schedules', schedule)
      assert.deepEqual(refusal(scheduled), refused, 'by a schedule')
      // Not for want of a place on the list.
      assert.match(
        String(scheduled.body['detail']),
        /comes back to this service|is an address of the operator|is the token itself|is a contract/,
      )
      const place = { merchantId: tenant.id, type: order['type'] as PayoutType, destination: listed }
      await assert.rejects(
        addDestination(world.base.sql, operator, place, undefined),
        (error) => error instanceof AppError && error.code === 'destination_not_allowed',
        'on the list',
      )
      assert.equal(await count(), before)
    })

  test('a place of somebody else is accepted', async () => {
    await world.base.fund(tenant, 1_000n, 'EUR')
    assert.equal((await ask('/v1/withdrawals', { ...sepa(foreignIban), amount: 100 })).status, 201)
  })

  test('a schedule to a place that became ours makes no withdrawal', async () => {
    const owner = await world.funded()
    const key = 'agenda@example.com'
    await insertDestination(world.base.sql, {
      merchantId: owner.id,
      type: 'PIX',
      destination: key,
      note: null,
    })
    const wallets = (await api.ask('GET', '/v1/wallets', { key: owner.key })).body['data'] as Body[]
    const walletId = wallets.find(({ currency }) => currency === 'BRL')?.['id']
    const when = { rhythm: 'DAILY', time: '06:00', timeZone: 'America/Sao_Paulo' }
    const made = await ask('/v1/payout-schedules', { ...pix(key, 'EMAIL'), walletId, ...when }, {}, owner.key)
    assert.equal(made.status, 201, made.text)
    await connect(world.base.sql, 'PIX', { pixKey: key })
    const { sql, lane } = world.base
    await sql`update payout_schedule set next_run_at = now() - interval '1 second' where next_run_at is not null`
    await runDueSchedules({ sql, lane, log: silentLog, kind: scheduleKind(rails) })
    const schedule = await api.ask('GET', `/v1/payout-schedules/${String(made.body['id'])}`, {
      key: owner.key,
    })
    assert.deepEqual(
      [schedule.body['lastOutcome'], schedule.body['lastWithdrawalId']],
      ['REFUSED', undefined],
    )
  })

  test('that became ours after the request is not approved, and what is due ends with its money back', async () => {
    const owner = await world.funded()
    await world.limit(owner, { approvalAboveMinor: 500n })
    const key = 'later@example.com'
    const { body: waits } = await world.create(owner, { pixKey: key, amount: 600 })
    const { body: due } = await world.create(owner, { pixKey: key, amount: 100 })
    assert.deepEqual([waits['status'], due['status']], ['PENDING_APPROVAL', 'PENDING'])
    await connect(world.base.sql, 'PIX', { pixKey: key })
    const approver = await world.base.issue(owner.id, ['withdrawals:approve'])
    const approved = await world.act({ key: approver.key }, 'approve', waits['id'])
    assert.deepEqual(refusal(approved), [422, 'destination_not_allowed', '/pixKey'])
    await world.work(done)
    const ended = await world.read(owner, due['id'])
    assert.deepEqual([ended['status'], ended['failureCode']], ['FAILED', 'destination_not_allowed'])
    assert.deepEqual(await world.balanceOf(owner), { balance: 400, held: 600 })
  })
})

describe('an amount that the rail cannot write', () => {
  for (const [order, most] of [
    [sepa(foreignIban), railMost.SEPA],
    [pix('ana@example.com', 'EMAIL'), railMost.PIX],
  ] as const)
    test(`${String(order['type'])}: the largest one is a matter of funds, one more is refused`, async () => {
      const fits = await ask('/v1/withdrawals', { ...order, amount: Number(most) })
      assert.deepEqual(refusal(fits).slice(0, 2), [422, 'insufficient_funds'])
      const body = { ...order, amount: Number(most) + 1 }
      assert.deepEqual(refusal(await ask('/v1/withdrawals', body)), [422, 'limit_exceeded', '/amount'])
      const batch = { idempotencyKey: newId(), withdrawals: [body] }
      const inBatch = [422, 'limit_exceeded', '/withdrawals/0/amount']
      assert.deepEqual(refusal(await ask('/v1/withdrawal-batches', batch)), inBatch)
    })

  test('that an earlier release accepted ends before it is sent, with its money back', async () => {
    const owner = await world.funded(railMost.PIX)
    const { body } = await world.create(owner, { amount: Number(railMost.PIX) })
    const { sql, book } = world.base
    // One cent more, held like the rest.
    const [wallet] = await selectDefaultWallets(sql, [{ merchantId: owner.id, currency: 'BRL' }])
    const held = walletHeld('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
    await book(provider('SANDBOX', 'a1-funds', 'BRL'), held, 1n)
    await sql`update withdrawal set amount_minor = amount_minor + 1 where id = ${String(body['id'])}`
    await world.work(done)
    const ended = await world.read(owner, body['id'])
    assert.deepEqual([ended['status'], ended['failureCode']], ['FAILED', 'amount_not_allowed'])
    assert.deepEqual(await world.balanceOf(owner), { balance: Number(railMost.PIX) + 1, held: 0 })
  })
})

test('a refund to a deposit address, named or the sender’s own, is refused', async () => {
  const refunds = await openRefundWorld()
  try {
    const { sql } = refunds.base
    const owner = await refunds.base.openTenant()
    const payment = await refunds.payment(owner)
    await refunds.arrive(owner, payment, { by: 'CRYPTO', minor: 1_234n })
    await sql`
      insert into chain (key, chain_id, factory, token, treasury)
      values ('own', 31337, ${bytesOf(factory)}, ${bytesOf(token)}, ${bytesOf(treasury)})`
    await sql`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
      values ('own', ${bytesOf(deposit)}, ${newId()}, ${newId()}, ${newId()}, 1, now())`
    const refused = [422, 'destination_not_allowed', '/cryptoAddress']
    for (const cryptoAddress of [deposit, toChecksum(deposit)])
      assert.deepEqual(refusal(await refunds.refund(owner, payment, { amount: 100, cryptoAddress })), refused)
    // Requested before the address was issued: nobody approves it.
    const later = at('d9')
    const waits = await refunds.refund(owner, payment, { amount: 100, cryptoAddress: later })
    assert.deepEqual([waits.status, waits.body['approvalRequired']], [201, true], waits.text)
    await sql`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
      values ('own', ${bytesOf(later)}, ${newId()}, ${newId()}, ${newId()}, 1, now())`
    const approver = await refunds.base.issue(owner.id, ['withdrawals:approve'])
    const approved = await refunds.act({ key: approver.key }, 'approve', waits.body['id'])
    assert.deepEqual(refusal(approved).slice(0, 2), [422, 'destination_not_allowed'])
  } finally {
    await refunds.base.close()
  }
})
