// The worker is killed at every step, and the bank loses, delays and damages calls and answers. Nothing is paid twice, nothing is
// lost, and the bank's records agree with the books to the cent.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId, type WithdrawalId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { parsePayoutHints } from '#/rails/pix/payout-wire.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { hastenDue } from '#/withdrawals/due-queries.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { move, openBooks, posting, type Books } from '../books.ts'
import { count } from '../counts.ts'
import { startPixBank } from '../rails/pix/bank.ts'
import { heldBy, openPayingAccount, payoutRailOf, type PayingAccount } from '../rails/pix/payout.ts'
import { steps, type Step, type WorkerOptions } from './withdrawal-worker.ts'

const payouts = count({ quick: 15, soak: 600 })
const kills = count({ quick: 3, soak: 300 })
const funds = 10_000_000n

/** One in four fails on the way in or after the bank accepted it; some are refused by the recipient's bank, some by ours. */
const recipients = [
  'ana@example.com',
  'ok@sim.pix',
  'timeout@sim.pix',
  'ana@example.com',
  '500then@sim.pix',
  'ac03@sim.pix',
  'lost@sim.pix',
  '429@sim.pix',
  'ds04@sim.pix',
  'night@sim.pix',
]

const faults = [
  { match: { method: 'PUT' }, action: 'drop_response', probability: 0.1 },
  { match: { method: 'PUT' }, action: 'reset', probability: 0.1 },
  { match: { method: 'PUT' }, action: 'delay', delayMs: 60, probability: 0.3 },
  { match: { method: 'PUT' }, action: 'status', status: 503, probability: 0.05 },
  { match: { method: 'PUT' }, action: 'truncate', probability: 0.05 },
  { match: { path: 'enviados' }, action: 'drop_response', probability: 0.1 },
  { match: { path: 'token' }, action: 'reset', probability: 0.05 },
]

test(`${payouts} payouts, ${kills} kills: none is paid twice, none is lost`, async (t) => {
  const bank = await startPixBank({ magic: true, args: ['--capital', '1000000.00'] })
  t.after(() => bank[Symbol.asyncDispose]())
  const account = await openPayingAccount(bank)
  t.after(() => account.stop())
  await using books = await openBooks()
  const ids: WithdrawalId[] = []
  const requestMore = await openRequester(books, account, ids)
  const rail = payoutRailOf(t, [account.connection])
  const capital = await heldBy(rail, account.connection.id)
  for (const fault of faults) await bank.control('POST', '/faults', fault)
  const hastening = hastenOften(books, account)
  t.after(() => clearInterval(hastening))

  const died = new Map<Step, number>()
  for (let kill = 0; kill < kills; kill++) {
    const step = must(steps[kill % steps.length], 'a step')
    await requestMore(payouts / kills)
    if (await runUntilDeath(books, account, { step, nth: 1 + (kill % (payouts / kills)) }))
      died.set(step, (died.get(step) ?? 0) + 1)
    await hastenAll(books)
  }
  await bank.control('DELETE', '/faults')
  await runToTheEnd(books, account, ids)

  t.diagnostic(`killed at ${JSON.stringify(Object.fromEntries(died))}`)
  assert.ok([...died.values()].reduce((sum, each) => sum + each, 0) >= kills / 3, 'it was killed often')
  const { events } = await bank.control('GET', '/events?limit=10000')
  await agree(books, {
    ids,
    events: events as readonly Json[],
    spent: capital - (await heldBy(rail, account.connection.id)),
  })
  assert.deepEqual((await books.verify()).faults, [])
})

type Json = Readonly<Record<string, unknown>>

/** A merchant with money, who requests `many` withdrawals per call. */
async function openRequester(books: Books, { connection }: PayingAccount, ids: WithdrawalId[]) {
  const { sql } = books
  const lane = await books.openLane()
  const deps = { sql, clock: systemClock, sealKey: Buffer.alloc(32, 7), openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Crash' })
  const merchantId: MerchantId = merchant.id
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId, currency: 'BRL' }])
  const available = walletAvailable('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
  await lane.submit(move, { postings: [posting(provider('SANDBOX', 't1-funds', 'BRL'), available, funds)] })
  const kind = withdrawalKind()
  const requestedBy = newId<'api-key'>()
  return async (many: number): Promise<void> => {
    for (let i = 0; i < many; i++) {
      const id = newId<'withdrawal'>()
      const pixKey = must(recipients[ids.length % recipients.length], 'a recipient')
      const fields = { pixKey, pixKeyType: 'EMAIL' } as const
      const request = { type: 'PIX', amount: 100 + ids.length, currency: 'BRL', ...fields } as const
      const destination = { text: pixKey, fields }
      const routing = { ok: true, connection: connection.id, currency: 'BRL', destination } as const
      const item = { merchantId, mode: 'SANDBOX', id, request, requestedBy, routing } as const
      assert.equal((await lane.submit(kind, item)).kind, 'created')
      ids.push(id)
    }
  }
}

/** A callback of the bank makes its withdrawal due, as the inbox does. */
function hastenOften({ sql }: Books, { callbacks }: PayingAccount): NodeJS.Timeout {
  return setInterval(() => {
    const references = callbacks.splice(0).flatMap((body) => parsePayoutHints(body))
    if (references.length > 0) void hastenDue(sql, 'PIX', references)
  }, 50)
}

async function hastenAll({ sql }: Books): Promise<void> {
  await sql`
    with waiting as (select merchant_id, withdrawal_id from withdrawal_due for update skip locked)
    update withdrawal_due set due_at = least(due_at, now() + interval '500 ms')
      from waiting
     where withdrawal_due.merchant_id = waiting.merchant_id and withdrawal_due.withdrawal_id = waiting.withdrawal_id`
}

/** Runs a worker until it dies, or ends it if it does not reach the step of its death. Returns whether it died there. */
async function runUntilDeath(
  { appUrl }: Books,
  { connection }: PayingAccount,
  death: NonNullable<WorkerOptions['death']>,
): Promise<boolean> {
  const child = fork(new URL('./withdrawal-worker.ts', import.meta.url), { serialization: 'advanced' })
  const gone = once(child, 'exit')
  child.send({ url: appUrl, connection, death } satisfies WorkerOptions)
  let wasEnded = false
  const killer = setTimeout(() => {
    wasEnded = true
    child.kill('SIGKILL')
  }, 6_000)
  await gone
  clearTimeout(killer)
  return !wasEnded
}

async function runToTheEnd(
  books: Books,
  { connection }: PayingAccount,
  ids: readonly WithdrawalId[],
): Promise<void> {
  const child = fork(new URL('./withdrawal-worker.ts', import.meta.url), { serialization: 'advanced' })
  const gone = once(child, 'exit')
  child.send({ url: books.appUrl, connection } satisfies WorkerOptions)
  const limitAt = performance.now() + 120_000
  try {
    for (;;) {
      const all = await selectWithdrawalsById(books.sql, ids)
      if (all.every(({ status }) => status === 'COMPLETED' || status === 'FAILED')) return
      assert.ok(performance.now() < limitAt, `some never end: ${all.map(({ status }) => status).join()}`)
      await hastenAll(books)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  } finally {
    child.kill('SIGKILL')
    await gone
  }
}

/** Compares the bank's own journal with the withdrawals, and its account with the books. */
async function agree(
  { sql }: Books,
  {
    ids,
    events,
    spent,
  }: { readonly ids: readonly WithdrawalId[]; readonly events: readonly Json[]; readonly spent: bigint },
): Promise<void> {
  const accepted = events.filter(({ type }) => type === 'payout.accepted')
  const endOf = new Map(
    events.filter(({ type }) => type === 'payout.ended').map((each) => [each['payout'], each['status']]),
  )
  const all = await selectWithdrawalsById(sql, ids)
  assert.equal(all.length, payouts)
  const byReference = new Map(all.map((each) => [each.reference, each]))
  assert.equal(new Set(accepted.map((each) => each['idEnvio'])).size, accepted.length, 'no payout twice')
  for (const each of accepted)
    assert.ok(byReference.has(String(each['idEnvio'])), 'no payout that was not requested')
  const atBank = new Map(accepted.map((each) => [each['idEnvio'], endOf.get(each['endToEndId'])]))
  let completed = 0n
  for (const { reference, status, amountMinor } of all) {
    if (status === 'COMPLETED') completed += amountMinor
    assert.equal(status === 'COMPLETED', atBank.get(reference) === 'REALIZADO', `${reference} is ${status}`)
  }
  assert.equal(spent, completed)
  const rows = await sql<{ name: string; minor: bigint }[]>`
    select account.name, balance.minor from balance join account on account.id = balance.account_id`
  const of = (pattern: RegExp) =>
    rows.filter(({ name }) => pattern.test(name)).reduce((sum, { minor }) => sum + minor, 0n)
  assert.equal(of(/:held$/), 0n)
  assert.equal(of(/:available$/), funds - completed)
  assert.equal(of(/^provider:(?!t1-funds)/), -completed)
}
