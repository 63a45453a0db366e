// Payouts that nobody told us about: ends and returns are found by looking, once, and what fits nothing is an alarm.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { move, openBooks, posting, type Books } from '../../test/books.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type WithdrawalId } from '#/kernel/id.ts'
import { hourMs, systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { startTestBank, type TestBank } from '#/rails/pix/test-bank.ts'
import { openPayingAccount, payoutRailOf, type PayingAccount } from '#/rails/pix/test-payout.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals, type WithdrawalSenderDeps } from '#/withdrawals/send.ts'
import { ringForPayouts } from './payout-bell.ts'
import { payoutKind, settlePayout } from './payout.ts'
import { reconcilePayouts } from './reconcile-payouts.ts'

let bank: TestBank
let account: PayingAccount
let books: Books
let lane: LedgerLane<EventDraft>
let merchantId: MerchantId

before(async () => {
  bank = await startTestBank()
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
  await bank.stop()
})

/** A worker that looks and sends when the test says so. */
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
    // The bank's clock is the real one: the looks go back far enough.
    look: async () => {
      await clock.advance(hourMs)
      return reconcilePayouts({ ...deps, rails, connections, periodMs: 1_000 })
    },
    ring: (body: Buffer) =>
      ringForPayouts(
        { sql, rails, onReady: () => {} },
        { method: 'PIX', connection: connection.id, receivedAt: clock.now(), body },
      ),
  }
}

async function withdraw(pixKey: string): Promise<WithdrawalId> {
  const id = newId<'withdrawal'>()
  const fields = { pixKey, pixKeyType: 'EMAIL' }
  const request = { type: 'PIX', amount: 100, currency: 'BRL', ...fields } as const
  const offer = {
    ok: true,
    connection: account.connection.id,
    currency: 'BRL',
    destination: { text: pixKey, fields },
  } as const
  const requestedBy = newId<'api-key'>()
  await lane.submit(withdrawalKind(), { merchantId, mode: 'SANDBOX', id, request, requestedBy, offer })
  return id
}

const now = async (id: WithdrawalId) => must((await selectWithdrawalsById(books.sql, [id]))[0], 'it is there')

/** Waits until the bank says so of a payout. */
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

test('ends that no look-up has shown are found, each once', async (t) => {
  const worker = workerOf(t)
  const ids = await Promise.all(['ana@example.com', 'ac03@sim.pix', 'returned@sim.pix'].map(withdraw))
  await worker.send()
  for (const id of ids) assert.equal((await now(id)).status, 'PROCESSING')
  const [paid, failed, returned] = ids
  await atBank(worker.pix, paid ?? newId(), 'done')
  await atBank(worker.pix, failed ?? newId(), 'refused')
  await atBank(worker.pix, returned ?? newId(), 'returned')
  assert.equal(await worker.look(), 3)
  assert.equal(await worker.look(), 0)
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

test('money that comes back long after is found by looking, and by the bank’s callback', async (t) => {
  const worker = workerOf(t)
  for (const how of ['look', 'ring'] as const) {
    const id = await withdraw('ok@sim.pix')
    await worker.send()
    await atBank(worker.pix, id, 'done')
    await worker.look()
    const { reference, status } = await now(id)
    assert.equal(status, 'COMPLETED')
    account.heard.length = 0
    await bank.control('POST', '/return-payout', { idEnvio: reference, amount: '0.40' })
    if (how === 'look') assert.equal(await worker.look(), 1)
    else {
      const body = await heard()
      await worker.ring(body)
      await worker.send()
    }
    assert.equal((await now(id)).returnedMinor, 40n, how)
  }
})

async function heard(): Promise<Buffer> {
  for (let i = 0; i < 500; i++) {
    const [body] = account.heard
    if (body !== undefined) return body
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return assert.fail('the bank calls back')
}

test('a payout that is unknown here, and one that ended otherwise, are alarms and change nothing', async (t) => {
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
  const id = await withdraw('ok@sim.pix')
  await worker.send()
  // A person was wrong: the bank pays after all.
  const news = {
    state: 'refused',
    code: 'resolved_by_operator',
    message: 'x',
    evidence: Buffer.from('x'),
  } as const
  await lane.submit(payoutKind(new Map([['PIX', worker.pix]])), { id, news })
  await atBank(worker.pix, id, 'done')
  await worker.look()
  assert.equal((await now(id)).status, 'FAILED')
  const alarms = worker.logged.filter(({ level }) => level === 50).map(({ msg }) => msg)
  assert.ok(alarms.includes('a provider has a payout that is unknown here'))
  assert.ok(alarms.includes('a provider says something else than how it ended here'))
  assert.deepEqual((await books.verify()).faults, [])
})
