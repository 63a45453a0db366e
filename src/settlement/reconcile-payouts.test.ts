// Payouts without callbacks: a pass finds ends and returns, once, and an unknown payout is an alarm.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type WithdrawalId } from '#/kernel/id.ts'
import { hourMs, systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals, type WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import { move, openBooks, posting, type Books } from '../../test/books.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { openPayingAccount, payoutRailOf, type PayingAccount } from '../../test/rails/pix/payout.ts'
import { wakeForPayouts, payoutKind, settlePayout } from './payout.ts'
import { reconcilePayouts } from './reconcile-payouts.ts'

let bank: PixBank
let account: PayingAccount
let books: Books
let lane: LedgerLane<EventDraft>
let merchantId: MerchantId

before(async () => {
  bank = await startPixBank({ magic: true })
  account = await openPayingAccount(bank)
  books = await openBooks()
  lane = await books.openLane()
  const { sql } = books
  const deps = { sql, clock: systemClock, sealKey: Buffer.alloc(32, 7), openWallets: openStartingWallets }
  merchantId = (await createMerchant(deps, { mode: 'SANDBOX', name: 'Looks' })).merchant.id
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId, currency: 'BRL' }])
  const available = walletAvailable('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
  await lane.submit(move, { postings: [posting(provider('SANDBOX', 't1-funds', 'BRL'), available, 10_000n)] })
})
after(async () => {
  await books[Symbol.asyncDispose]()
  await account.stop()
  await bank[Symbol.asyncDispose]()
})

/** A worker that reconciles and sends when the test says so. */
function workerOf(t: TestContext) {
  const logged: Readonly<Record<string, unknown>>[] = []
  const log = pino(
    {},
    { write: (line: string) => logged.push(JSON.parse(line) as Readonly<Record<string, unknown>>) },
  )
  const { connection } = account
  const pix = payoutRailOf(t, [connection])
  const rails: PayoutRails = new Map([['PIX', pix]])
  const kind = payoutKind(rails)
  const { sql, clock } = books
  const deps: WithdrawalSenderDeps = {
    sql,
    rails,
    lane,
    decisionKind: decisionKind(rails),
    clock,
    log,
    settle: (withdrawal, news) => settlePayout({ lane, kind, log }, withdrawal, news),
  }
  const connections = {
    all: (method: string) => (method === 'PIX_PAYOUT' ? [connection] : []),
    find: () => connection,
  }
  return {
    logged,
    pix,
    send: () => sendDueWithdrawals(deps),
    // The bank uses the real clock: the passes go back far enough.
    reconcile: async () => {
      await clock.advance(hourMs)
      return reconcilePayouts({ ...deps, rails, connections, periodMs: 1_000 })
    },
    /** Returns how often the sender was woken. */
    wake: async (body: Buffer) => {
      let woken = 0
      const onReady = () => void (woken += 1)
      const signal = { method: 'PIX', connection: connection.id, receivedAt: clock.now(), body } as const
      await wakeForPayouts({ sql, rails, onReady }, signal)
      return woken
    },
  }
}

async function withdraw(pixKey: string, amount = 100): Promise<WithdrawalId> {
  const id = newId<'withdrawal'>()
  const fields = { pixKey, pixKeyType: 'EMAIL' } as const
  const request = { type: 'PIX', amount, currency: 'BRL', ...fields } as const
  const routing = {
    ok: true,
    connection: account.connection.id,
    currency: 'BRL',
    destination: { text: pixKey, fields },
  } as const
  const requestedBy = newId<'api-key'>()
  await lane.submit(withdrawalKind(), { merchantId, mode: 'SANDBOX', id, request, requestedBy, routing })
  return id
}

const now = async (id: WithdrawalId) => must((await selectWithdrawalsById(books.sql, [id]))[0], 'it is there')

/** Waits until the bank reports this of a payout. */
async function atBank(rail: ReturnType<typeof payoutRailOf>, id: WithdrawalId, state: string): Promise<void> {
  const { reference, connection, amountMinor } = await now(id)
  const order = {
    id,
    merchantId,
    reference,
    connection,
    amount: { minor: amountMinor, currency: 'BRL' as const },
    destination: {},
  }
  for (let i = 0; i < 500; i++) {
    if ((await rail.check(order))?.state === state) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail(`never ${state} at the bank`)
}

test('ends that no look-up has found are found by a pass, each once', async (t) => {
  const worker = workerOf(t)
  const ids = await Promise.all(
    ['ana@example.com', 'ac03@sim.pix', 'returned@sim.pix'].map((key) => withdraw(key)),
  )
  await worker.send()
  for (const id of ids) assert.equal((await now(id)).status, 'PROCESSING')
  const [paid, failed, returned] = ids
  await atBank(worker.pix, paid ?? newId(), 'done')
  await atBank(worker.pix, failed ?? newId(), 'refused')
  await atBank(worker.pix, returned ?? newId(), 'returned')
  assert.equal(await worker.reconcile(), 3)
  assert.equal(await worker.reconcile(), 0)
  const all = await Promise.all(ids.map(now))
  assert.deepEqual(
    all.map(({ status, returnedMinor }) => [status, returnedMinor]),
    [
      ['COMPLETED', 0n],
      ['FAILED', 0n],
      ['COMPLETED', 100n],
    ],
  )
})

test('money that comes back long after is found by a pass, and by the bank’s callback', async (t) => {
  const worker = workerOf(t)
  for (const how of ['pass', 'wake'] as const) {
    const id = await withdraw('ok@sim.pix')
    await worker.send()
    await atBank(worker.pix, id, 'done')
    await worker.reconcile()
    const { reference, status } = await now(id)
    assert.equal(status, 'COMPLETED')
    account.callbacks.length = 0
    await bank.control('POST', '/return-payout', { idEnvio: reference, amount: '0.40' })
    if (how === 'pass') assert.equal(await worker.reconcile(), 1)
    else {
      const body = await heard()
      await worker.wake(body)
      await worker.send()
    }
    assert.equal((await now(id)).returnedMinor, 40n, how)
  }
})

async function heard(): Promise<Buffer> {
  for (let i = 0; i < 500; i++) {
    const [body] = account.callbacks
    if (body !== undefined) return body
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return assert.fail('the bank calls back')
}

test('a payout that is unknown here is an alarm and changes nothing', async (t) => {
  const worker = workerOf(t)
  const stray = randomBytes(16).toString('hex')
  const order = {
    id: newId<'withdrawal'>(),
    merchantId,
    reference: stray,
    connection: account.connection.id,
    amount: { minor: 777n, currency: 'BRL' as const },
    destination: { pixKey: 'ana@example.com' },
  }
  await worker.pix.send(order, false)
  await worker.reconcile()
  const alarms = worker.logged.filter(({ level }) => level === 50).map(({ msg }) => msg)
  assert.deepEqual(alarms, ['a provider has a payout that is unknown here'])
})

const refused = {
  state: 'refused',
  code: 'resolved_by_operator',
  message: 'x',
  evidence: Buffer.from('x'),
} as const

const eventsOf = async (id: WithdrawalId) => {
  const rows = await books.sql<{ type: string; status: string }[]>`
    select type, body::json -> 'data' ->> 'status' as status from event where resource_id = ${id} order by sequence`
  return rows.map(({ type, status }) => [type, status])
}
const standing = async () => {
  const rows = await books.sql<{ name: string; minor: bigint }[]>`
    select account.name, balance.minor from account join balance on balance.account_id = account.id`
  const sum = (ending: RegExp) =>
    rows.filter(({ name }) => ending.test(name)).reduce((total, { minor }) => total + minor, 0n)
  return { free: sum(/:available$/), held: sum(/:held$/), owed: sum(/^receivable:/), fees: sum(/^fees:/) }
}
const spentToday = async () => {
  const [row] = await books.sql<{ minor: bigint }[]>`
    select coalesce(sum(minor), 0)::bigint as minor from withdrawal_spent where merchant_id = ${merchantId}`
  return row?.minor
}

for (const how of ['refused', 'canceled'] as const) {
  test(`a payout that was ${how} here and that the bank pays after all is debited again with its fee, and is an alarm`, async (t) => {
    const worker = workerOf(t)
    const rule = { merchantId, method: 'PIX_WITHDRAWAL', currency: 'BRL', ratePpm: 0n } as const
    await writeFeeRule(books.sql, { ...rule, fixedMinor: 7n })
    const [start, spent] = [await standing(), await spentToday()]
    const id = await withdraw('ok@sim.pix')
    // A person was wrong; or the database is an older copy, in which nothing was sent yet.
    if (how === 'refused') {
      await worker.send()
      await lane.submit(payoutKind(new Map([['PIX', worker.pix]])), { id, news: refused })
    } else {
      const { reference, connection, amountMinor, destination } = await now(id)
      const amount = { minor: amountMinor, currency: 'BRL' as const }
      await worker.pix.send(
        { id, merchantId, reference, connection, amount, destination: destination.fields },
        false,
      )
      await lane.submit(decisionKind(new Map([['PIX', worker.pix]])), { id, merchantId, event: 'canceled' })
    }
    assert.deepEqual([await standing(), await spentToday()], [start, spent])
    await atBank(worker.pix, id, 'done')
    assert.equal(await worker.reconcile(), 1)
    assert.equal(await worker.reconcile(), 0)
    const { status, failure, version } = await now(id)
    assert.deepEqual([status, failure], ['COMPLETED', undefined])
    assert.deepEqual(await standing(), { ...start, free: start.free - 107n, fees: start.fees + 7n })
    assert.equal(await spentToday(), (spent ?? 0n) + 100n)
    const events = await eventsOf(id)
    assert.deepEqual(events.at(-2), [
      `withdrawal.${how === 'refused' ? 'failed' : how}`,
      how === 'refused' ? 'FAILED' : 'CANCELED',
    ])
    assert.deepEqual(events.at(-1), ['withdrawal.completed', 'COMPLETED'])
    const alarms = worker.logged.filter(({ level }) => level === 50).map(({ msg }) => msg)
    assert.ok(alarms.includes('a provider paid what had ended here; its merchant was debited again'))
    // And it may come back, like any other.
    const { reference } = await now(id)
    await bank.control('POST', '/return-payout', { idEnvio: reference, amount: '1.00' })
    assert.equal(await worker.reconcile(), 1)
    assert.deepEqual([(await now(id)).returnedMinor, (await now(id)).version], [100n, version + 1])
    assert.deepEqual((await books.verify()).faults, [])
    await writeFeeRule(books.sql, { ...rule, fixedMinor: 0n })
  })
}

test('if the bank pays a refused payout after its money was spent, the merchant owes it; a payout that returns repays it', async (t) => {
  const worker = workerOf(t)
  const id = await withdraw('ok@sim.pix')
  await worker.send()
  const kind = payoutKind(new Map([['PIX', worker.pix]]))
  await lane.submit(kind, { id, news: refused })
  const { free } = await standing()
  const rest = await withdraw('ok@sim.pix', Number(free) - 30)
  await atBank(worker.pix, id, 'done')
  await worker.reconcile()
  assert.deepEqual(await standing(), { free: 0n, held: free - 30n, owed: 70n, fees: (await standing()).fees })
  // A canceled withdrawal repays the debt before it is available.
  await lane.submit(decisionKind(new Map([['PIX', worker.pix]])), { id: rest, merchantId, event: 'canceled' })
  assert.deepEqual(await standing(), { free: free - 100n, held: 0n, owed: 0n, fees: (await standing()).fees })
})

test('a callback about a failed payout makes us query the bank again', async (t) => {
  const worker = workerOf(t)
  const id = await withdraw('ok@sim.pix')
  account.callbacks.length = 0
  await worker.send()
  await lane.submit(payoutKind(new Map([['PIX', worker.pix]])), { id, news: refused })
  await atBank(worker.pix, id, 'done')
  const body = await heard()
  const { reference } = await now(id)
  const ofNone = body.toString().replaceAll(reference, randomBytes(16).toString('hex'))
  assert.equal(await worker.wake(Buffer.from(ofNone)), 0)
  assert.equal(await worker.wake(Buffer.from('{}')), 0)
  assert.equal(await worker.wake(body), 1)
  await worker.send()
  assert.equal((await now(id)).status, 'COMPLETED')
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await books.verify()).faults, [])
})
