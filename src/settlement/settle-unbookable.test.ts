// Each kind of work has a verdict for items that the books cannot accept, and books the other items. The tests insert the
// accounts in another currency themselves: no code of ours creates such accounts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type Id, type WalletId, type WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Currency } from '#/kernel/money.ts'
import { hourMs } from '#/kernel/time.ts'
import type { RunnableKind } from '#/ledger/kind.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { listPayoutRails } from '#/rails/all.ts'
import type { Method } from '#/rails/method.ts'
import type { PayoutRail } from '#/rails/payout-rail.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { refundKind } from '#/refunds/request.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { ownTransferKind } from '#/wallets/transfer.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { auditKey, cell } from '../../test/line.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { openTabsWorld } from '../../test/tabs-world.ts'
import { ownerKind } from './credit-found-coins.ts'
import { payoutKind } from './payout.ts'
import { resolveKind } from './resolve.ts'
import { settleParts } from './settle.ts'

const world = openForTests(openTabsWorld)

/** Submits to a lane that has no account in its cache. */
async function submit<Item, Verdict>(
  kind: RunnableKind<Item, Verdict, EventDraft>,
  ...items: readonly Item[]
): Promise<readonly Verdict[]> {
  const openSql = () => connect(world.line.appUrl, { max: 1 })
  const lane = await createLedgerLane<EventDraft>({
    openSql,
    cell,
    auditKey,
    announce,
    clock: world.line.clock.running,
    log: silentLog,
  })
  try {
    return await Promise.all(items.map((item) => lane.submit(kind, item)))
  } finally {
    await lane.close()
  }
}

let planted = 1_000_000n

/** While this runs, the account of this name is in another currency. */
async function withPlanted<Result>(
  name: string,
  currency: Currency,
  run: () => Promise<Result>,
): Promise<Result> {
  const { owner } = world.line
  const id = (planted += 1n)
  const [before] = await owner<{ id: bigint }[]>`select id from account where name = ${name}`
  const guarded = (statements: string) =>
    owner.unsafe(`begin; alter table account disable trigger user; ${statements};
                  alter table account enable trigger user; commit`)
  if (before !== undefined) await guarded(`update account set name = 'hidden' where id = ${before.id}`)
  await guarded(`insert into account values (${id}, 'SANDBOX', '${name}', '${currency}', 'CREDIT', 1);
                 insert into balance values (${id}, 1000, 1, true, '${currency}')`)
  try {
    return await run()
  } finally {
    await guarded(`delete from balance where account_id = ${id}; delete from account where id = ${id};
                   ${before === undefined ? '' : `update account set name = '${name}' where id = ${before.id}`}`)
  }
}

const walletIn = async (currency: string): Promise<WalletId> => {
  const [wallet] = await selectWallets(world.line.sql, world.line.merchant.id, { currency })
  return must(wallet, `there is a wallet in ${currency}`).id
}

async function checkout(method: Method, currency: 'USD' | 'BRL' = 'BRL') {
  const { payment, tabs } = await world.open(currency, 1_000, [method])
  return { payment, tab: must(tabs.get(method), 'it is open') }
}

async function paid(method: Method, currency: 'USD' | 'BRL' = 'BRL') {
  const opened = await checkout(method, currency)
  const receipts = [world.receipt(opened.tab, 'paid', 1_000n)]
  assert.deepEqual(await submit(world.kinds.settle, { receipts }), [['booked']])
  return opened
}

test('settle: money for an account in another currency waits, what came with it too, and a neighbour is booked', async () => {
  const [one, other] = [await checkout('PIX'), await checkout('CREDIT_CARD', 'USD')]
  const items = [one, other].map(({ tab }) => ({ receipts: [world.receipt(tab, 'paid', 1_000n)] }))
  const name = `wallet:${await walletIn('BRL')}:available`
  const verdicts = await withPlanted(name, 'EUR', () => submit(world.kinds.settle, ...items))
  assert.deepEqual(verdicts, [['unbookable'], ['booked']])
  assert.equal((await world.line.payment(one.payment.id)).receipts, 0)
  // Nothing was lost: with the right account it is booked.
  assert.deepEqual(await submit(world.kinds.settle, ...items), [['booked'], ['repeated']])
})

test('settle: a signal stays when an earlier part of its many receipts cannot be booked or names an unknown payment', async () => {
  const { tab } = await checkout('PIX')
  const receipts = Array.from({ length: 101 }, () => world.receipt(tab, 'paid', 1_000n))
  for (const first of ['unbookable', 'unknown_payment', 'booked'] as const) {
    const signals: unknown[] = []
    await settleParts(
      ({ receipts: part, signal }) => {
        const verdict = signals.length === 0 ? first : 'booked'
        signals.push(signal)
        return Promise.resolve(part.map(() => verdict))
      },
      { signal: 5n, receipts },
    )
    assert.deepEqual(signals, [undefined, first === 'booked' ? 5n : undefined], first)
  }
})

test('settle: an amount that is not valid', async () => {
  const { tab, payment } = await checkout('CREDIT_CARD', 'USD')
  const dispute = { paidRef: 'pi_1', kind: 'CHARGEBACK' } as const
  const stranger: OpenedAttempt = { ...tab, id: newId() }
  const receipts = [
    world.receipt(tab, 'paid', -1n),
    world.receipt(tab, 'paid', 2n ** 63n),
    world.receipt(tab, 'dispute_opened', 0n, { dispute }),
    world.receipt(tab, 'dispute_opened', 10n, { dispute: { ...dispute, fee: -1n } }),
    world.receipt(stranger, 'paid', 0n),
  ]
  const verdicts = await submit(world.kinds.settle, ...receipts.map((receipt) => ({ receipts: [receipt] })))
  assert.deepEqual(
    verdicts.flat(),
    receipts.map(() => 'unbookable'),
  )
  assert.equal((await world.line.payment(payment.id)).receipts, 0)
})

test('release: it is tried again later, and delays no other', async () => {
  world.delayMs = hourMs
  const { payment } = await paid('CREDIT_CARD', 'USD')
  world.delayMs = 0
  const key = { merchantId: payment.merchantId, paymentId: payment.id, ordinal: 1 }
  const name = `wallet:${await walletIn('USD')}:available`
  const verdicts = await withPlanted(name, 'EUR', () => submit(world.kinds.release, key))
  assert.deepEqual(verdicts, [{ kind: 'unbookable' }])
  const [row] = await world.line.sql<{ isLater: boolean }[]>`
    select release_at > clock_timestamp() + interval '50 minutes' as "isLater" from release where payment_id = ${payment.id}`
  assert.equal(row?.isLater, true)
  assert.deepEqual(await submit(world.kinds.release, key), [{ kind: 'released', minor: 1_000n }])
})

test('refund: it is refused, and nothing moves', async () => {
  const { payment } = await paid('CREDIT_CARD', 'USD')
  const { merchantId } = payment
  const item = {
    merchantId,
    mode: 'SANDBOX',
    paymentId: payment.id,
    id: newId<'refund'>(),
    request: {},
  } as const
  const name = `wallet:${await walletIn('USD')}:held`
  const [refused] = await withPlanted(name, 'EUR', () => submit(refundKind(world.rails), item))
  assert.equal(refused?.kind, 'not_refundable')
  const [created] = await submit(refundKind(world.rails), item)
  assert.equal(created?.kind, 'created')
})

const payouts = listPayoutRails([
  { type: 'PIX', source: () => ({ at: 'PROVIDER' }) } as Partial<PayoutRail> as PayoutRail,
])

test('withdrawal: not accepted, not canceled and not ended', async () => {
  await paid('PIX')
  const { id: merchantId } = world.line.merchant
  const itemOf = (id: WithdrawalId) => ({
    merchantId,
    mode: 'SANDBOX' as const,
    id,
    request: { type: 'PIX' as const, amount: 100, currency: 'BRL' },
    requestedBy: newId<'api-key'>(),
    routing: {
      ok: true as const,
      connection: world.line.chain.connection,
      currency: 'BRL' as const,
      destination: { text: 'ana@example.com', fields: {} },
    },
  })
  const name = `wallet:${await walletIn('BRL')}:held`
  const id = newId<'withdrawal'>()
  const evidence = Buffer.from('done')
  const end = { id, news: { state: 'done', evidence } } as const
  const [before, , after] = [
    await withPlanted(name, 'EUR', () => submit(withdrawalKind(), itemOf(newId()))),
    await submit(withdrawalKind(), itemOf(id)),
    await withPlanted(name, 'EUR', async () => [
      ...(await submit(decisionKind(payouts), { id, merchantId, event: 'canceled' })),
      ...(await submit(decisionKind(payouts), { id, event: 'sending' })),
      ...(await submit(payoutKind(payouts), end)),
    ]),
  ]
  assert.equal(before[0]?.kind, 'not_spendable')
  const [canceled, sending, ended] = after
  assert.deepEqual(
    [canceled, sending].map((verdict) => typeof verdict === 'object' && verdict.kind),
    ['refused', 'decided'],
  )
  assert.equal(ended, 'noted')
  assert.deepEqual(
    await submit(payoutKind(payouts), { ...end, id: newId<'withdrawal'>() }),
    ['noted'],
    'there is no such one',
  )
  assert.deepEqual(await submit(payoutKind(payouts), end), ['settled'])
})

test('own transfer: the account in another currency has no funds', async () => {
  const [{ id } = assert.fail()] = await world.line.sql<{ id: WalletId }[]>`
    insert into wallet (merchant_id, id, currency, label, wallet_type, is_default, created_at)
    values (${world.line.merchant.id}, ${newId()}, 'BRL', 'Second', 'SPENDABLE', false, now()) returning id`
  const item = {
    merchantId: world.line.merchant.id,
    mode: 'SANDBOX' as const,
    id: newId<'own-transfer'>(),
    request: { fromWalletId: await walletIn('BRL'), toWalletId: id, amount: 10 },
  }
  const name = `wallet:${await walletIn('BRL')}:available`
  const [refused] = await withPlanted(name, 'EUR', () => submit(ownTransferKind, item))
  assert.equal(refused?.kind, 'insufficient_funds')
  assert.deepEqual(
    (await submit(ownTransferKind, item)).map(({ kind }) => kind),
    ['created'],
  )
})

test('suspense and found coins: the decision is refused, and can be made again', async () => {
  const { tab } = await checkout('PIX')
  const receipt = world.receipt({ ...tab, id: newId() }, 'paid', 70n)
  assert.deepEqual(await submit(world.kinds.settle, { receipts: [receipt] }), [['suspended']])
  const [row] = await world.line.sql<{ id: Id<'unmatched'> }[]>`select id from unmatched`
  const { id: merchantId } = world.line.merchant
  const item = { id: must(row, 'it is there').id, merchantId }
  const name = `wallet:${await walletIn('BRL')}:available`
  const [refused] = await withPlanted(name, 'EUR', () => submit(resolveKind(world.rails), item))
  assert.equal(refused?.kind, 'unbookable')
  const [unknown] = await submit(resolveKind(new Map()), item)
  assert.equal(unknown?.kind, 'unbookable')
  assert.deepEqual(
    (await submit(resolveKind(world.rails), item)).map(({ kind }) => kind),
    ['resolved'],
  )

  const proposal = {
    move: newId(),
    mode: 'SANDBOX' as const,
    connection: world.line.chain.connection,
    minor: 10n,
    merchantId,
    proposedBy: 'ana',
    confirmedBy: null,
  }
  const claiming = ownerKind({ load: async () => [proposal], save: async () => {} })
  const coins = `wallet:${await walletIn('USDT')}:available`
  const [verdict] = await withPlanted(coins, 'EUR', () =>
    submit(claiming, { move: proposal.move, by: 'bia' }),
  )
  assert.equal(verdict?.kind, 'unbookable')
})
