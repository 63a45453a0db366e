// Withdrawals between two processes, workers that die, and a bank that loses answers: the world of the law of their lives.
import assert from 'node:assert/strict'
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import { newId, type ApiKeyId, type MerchantId, type WalletId, type WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, secondMs, sleep, systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable, walletHeld, type AccountSpec } from '#/ledger/chart.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { deleteFreeze, insertFreeze } from '#/merchants/queries.ts'
import type { Limit } from '#/money-out/limits.ts'
import { writeLimit } from '#/money-out/queries.ts'
import { PixError } from '#/rails/pix/client.ts'
import type { Payout } from '#/rails/pix/payout-wire.ts'
import { checkPayout, sendPayout, type PayoutSender } from '#/rails/pix/payout.ts'
import { payoutKind, settlePayout } from '#/settlement/payout.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { decisionKind, type DecisionItem } from '#/withdrawals/decide.ts'
import { hastenDue } from '#/withdrawals/due-queries.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { sendDueWithdrawals, type PayoutNews } from '#/withdrawals/send.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { move, posting, type Books } from '../books.ts'
import { payoutConnection, testPayoutRails } from '../payout-rail.ts'

/**
 * The fate of a call to send:
 * - `clean`: done and answered
 * - `refuse`: the bank refuses
 * - `lost`: done, the answer is lost
 * - `away`: it never leaves
 * - `late`: cut off, and arrives later all the same
 * - `dies`: the worker dies before the call leaves
 * - `dies-after`, `dies-late`: the worker dies after the call left, which arrives at once or later
 */
export const fates = ['clean', 'refuse', 'lost', 'away', 'late', 'dies', 'dies-after', 'dies-late'] as const
export type Fate = (typeof fates)[number]

/** The longest that a call may be on its way after it was cut off. */
const latestMs = 40 * secondMs

type AtBank = { status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO'; amount: bigint; returned: bigint }

export const funds = 100_000n

export async function openWorld(
  books: Books,
  lanes: readonly [LedgerLane<EventDraft>, LedgerLane<EventDraft>],
) {
  const { sql } = books
  const clock = { ...books.clock, now: books.clock.running.now }
  const merchant = await openMerchant(books, lanes[0])
  const bank = new Map<string, AtBank>()
  /** Calls that reached the bank, whatever it answered. */
  const heard = new Map<string, number>()
  /** Payouts that the bank refused, and paid all the same. */
  const paidAfterAll = new Set<string>()
  const whileFrozen = { started: 0, sent: 0 }
  let isFrozen = false
  let freezing = Promise.resolve()
  let onTheirWay: { readonly at: Date; readonly arrive: () => void }[] = []
  let nextFate: () => Fate = () => 'clean'
  let beforeSettling: (news: PayoutNews) => Promise<void> = async () => {}

  const arrive = (reference: string, amount: bigint, result: 'yes' | 'no') => {
    heard.set(reference, (heard.get(reference) ?? 0) + 1)
    if (!bank.has(reference) && result === 'yes')
      bank.set(reference, { status: 'EM_PROCESSAMENTO', amount, returned: 0n })
    return bank.has(reference)
  }
  const answer = (reference: string) => {
    const payout = bank.get(reference)
    if (payout === undefined) return undefined
    const value: Payout = { ...payout, reference, endToEndId: `E${reference}`, sent: null }
    return { value, raw: Buffer.from(JSON.stringify([reference, payout.status, String(payout.returned)])) }
  }
  /** The bank's client for one round of a worker. `die`: that worker does nothing any more. */
  const clientOf = (die: () => Promise<never>): PayoutSender['client'] => ({
    find: async (reference) => {
      if (nextFate() === 'dies') return die()
      return answer(reference)
    },
    async put({ reference, amount }) {
      const fate = nextFate()
      const onItsWay = () =>
        onTheirWay.push({
          at: addMs(clock.now(), latestMs),
          arrive: () => arrive(reference, amount, 'yes'),
        })
      switch (fate) {
        case 'dies':
          return die()
        case 'away':
          throw new ProviderError('unavailable', fate)
        case 'late':
          onItsWay()
          throw new ProviderError('unknown', fate)
        case 'dies-late':
          onItsWay()
          return die()
        case 'refuse':
          if (!arrive(reference, amount, 'no'))
            throw new PixError('refused', fate, {
              status: 422,
              headers: {},
              body: Buffer.from('{"nome":"x"}'),
            })
          break
        case 'clean':
        case 'lost':
        case 'dies-after':
          arrive(reference, amount, 'yes')
      }
      if (fate === 'dies-after') return die()
      if (fate === 'lost') throw new ProviderError('unknown', fate)
      return must(answer(reference), 'the bank has it')
    },
  })
  /** The bank's client for one sending: a sending that begins while money is frozen must not put. */
  const watched = (client: PayoutSender['client']): PayoutSender['client'] => {
    const beganFrozen = isFrozen
    if (beganFrozen) whileFrozen.started += 1
    return {
      find: client.find,
      put: (payout) => {
        if (beganFrozen && isFrozen) whileFrozen.sent += 1
        return client.put(payout)
      },
    }
  }
  const railsOf = (client: PayoutSender['client']) =>
    testPayoutRails(
      (order, again) => sendPayout({ client: watched(client), clock, from: 'k' }, order, again),
      {
        check: (order) => checkPayout({ client }, order).catch(() => undefined),
      },
    )
  const kinds = {
    accept: withdrawalKind(),
    decide: decisionKind(testPayoutRails()),
    payout: payoutKind(testPayoutRails()),
  }
  const ids: WithdrawalId[] = []

  return {
    clock,
    ids,
    bank,
    heard,
    paidAfterAll,
    /** Sendings that began while money was frozen, and how many of them called the bank all the same. */
    whileFrozen,
    /** Freezes money, or ends the freeze. Concurrent calls are applied one after the other. */
    freeze(isOn: boolean): Promise<void> {
      freezing = freezing.then(async () => {
        isFrozen = false
        await sql.begin((tx) => setFreeze(tx, merchant.id, isOn))
        isFrozen = isOn
      })
      return freezing
    },
    /** Sets the most that one withdrawal may be. */
    limit: (eachMinor: bigint | null) => writeLimit(sql, { ...limitOf(merchant.id), eachMinor }),
    fated: (next: () => Fate) => (nextFate = next),
    /** Sets what a worker waits for before it settles the bank's answer. */
    stalled: (until: (news: PayoutNews) => Promise<void>) => (beforeSettling = until),
    /** Time goes on, and calls that were on their way arrive. */
    async tick(ms: number) {
      await clock.advanceDatabaseFirst(ms)
      const due = onTheirWay.filter(({ at }) => at <= clock.now())
      onTheirWay = onTheirWay.filter((each) => !due.includes(each))
      for (const each of due) each.arrive()
    },
    async ask(nth: 0 | 1, amount: number): Promise<void> {
      const id = newId<'withdrawal'>()
      const routing = {
        ok: true,
        connection: payoutConnection,
        currency: 'BRL',
        destination: { text: 'k', fields: { pixKey: 'k' } },
      } as const
      const request = { type: 'PIX', amount, currency: 'BRL', pixKey: 'k', pixKeyType: 'EVP' } as const
      const item = {
        merchantId: merchant.id,
        mode: 'SANDBOX',
        id,
        request,
        requestedBy: merchant.key,
        routing,
      } as const
      assert.equal((await lanes[nth].submit(kinds.accept, item)).kind, 'created')
      ids.push(id)
    },
    async decide(nth: 0 | 1, id: WithdrawalId, event: 'canceled' | 'approved' | 'rejected') {
      const item: DecisionItem = event === 'canceled' ? { id, event } : { id, event, by: merchant.second }
      await untilClocksAgree(() => lanes[nth].submit(kinds.decide, { ...item, merchantId: merchant.id }))
    },
    /** A worker's round. One that dies in it never returns, so the caller does not wait for it. */
    async work(nth: 0 | 1): Promise<void> {
      const death = Promise.withResolvers<void>()
      const die = () => {
        death.resolve()
        return new Promise<never>(() => {})
      }
      const round = sendDueWithdrawals({
        sql,
        rails: railsOf(clientOf(die)),
        lane: lanes[nth],
        decisionKind: kinds.decide,
        clock,
        log: silentLog,
        settle: async (withdrawal, news, sends) => {
          await beforeSettling(news)
          return settlePayout(
            { lane: lanes[nth], kind: kinds.payout, log: silentLog },
            withdrawal,
            news,
            sends,
          )
        },
      })
      await Promise.race([round, death.promise])
    },
    async hasten(id: WithdrawalId): Promise<void> {
      const [withdrawal] = await selectWithdrawalsById(sql, [id])
      await hastenDue(sql, 'PIX', [must(withdrawal, 'it is there').reference])
    },
    /** The bank ends every payout that is under way. */
    end(isGood: (nth: number) => boolean) {
      for (const [nth, payout] of [...bank.values()].entries())
        if (payout.status === 'EM_PROCESSAMENTO') payout.status = isGood(nth) ? 'REALIZADO' : 'NAO_REALIZADO'
    },
    /** The bank refused, and pays all the same. */
    payAfterAll(reference: string) {
      const payout = bank.get(reference)
      if (payout?.status !== 'NAO_REALIZADO') return
      payout.status = 'REALIZADO'
      paidAfterAll.add(reference)
    },
    giveBack(reference: string) {
      const payout = bank.get(reference)
      if (payout?.status === 'REALIZADO') payout.returned = payout.amount
    },
    all: (): Promise<readonly Withdrawal[]> => selectWithdrawalsById(sql, ids),
    /** The withdrawals that a worker will still query. */
    async due(): Promise<readonly WithdrawalId[]> {
      const rows = await sql<{ id: WithdrawalId }[]>`
        select withdrawal_id as id from withdrawal_due where merchant_id = ${merchant.id}`
      return rows.map(({ id }) => id)
    },
    async balances() {
      const specs = [
        walletAvailable('SANDBOX', merchant.walletId, 'BRL'),
        walletHeld('SANDBOX', merchant.walletId, 'BRL'),
      ]
      const rows = await sql<{ name: string; minor: bigint }[]>`
        select account.name, balance.minor from balance join account on account.id = balance.account_id
         where account.name = any (${specs.map(({ name }) => name)})`
      const of = (spec: AccountSpec | undefined) => rows.find(({ name }) => name === spec?.name)?.minor ?? 0n
      return { available: of(specs[0]), held: of(specs[1]) }
    },
    async eventsOf(id: WithdrawalId): Promise<readonly string[]> {
      const rows = await sql<{ type: string }[]>`
        select type from event where merchant_id = ${merchant.id} and resource_id = ${id} order by sequence`
      return rows.map(({ type }) => type)
    },
  }
}

/** While the clocks move, a lane refuses batches: the same call is sent again, as the refusal says. */
async function untilClocksAgree<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable' || tries === 1_000) throw error
      await sleep(5)
    }
  }
}

type Merchant = {
  readonly id: MerchantId
  readonly walletId: WalletId
  readonly key: ApiKeyId
  readonly second: ApiKeyId
}

/** A merchant with money. Withdrawals over 500 wait for a second person. */
async function openMerchant({ sql }: Books, lane: LedgerLane<EventDraft>): Promise<Merchant> {
  const deps = { sql, clock: systemClock, sealKey: Buffer.alloc(32, 7), openWallets: openStartingWallets }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Law' })
  const { id } = merchant
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId: id, currency: 'BRL' }])
  const walletId = must(wallet, 'a wallet').id
  const bank = provider('SANDBOX', 't1-funds', 'BRL')
  await lane.submit(move, { postings: [posting(bank, walletAvailable('SANDBOX', walletId, 'BRL'), funds)] })
  await writeLimit(sql, limitOf(id))
  const keyDeps = { sql, clock: systemClock, pepper: Buffer.alloc(32), cell: 't1' }
  const issue = async (name: string) => (await issueApiKey(keyDeps, { merchantId: id, name })).id
  return { id, walletId, key: await issue('requests'), second: await issue('decides') }
}

function limitOf(merchantId: MerchantId): Limit {
  return {
    merchantId,
    type: 'PIX',
    currency: 'BRL',
    eachMinor: null,
    dayMinor: null,
    approvalAboveMinor: 500n,
    listedOnly: false,
  }
}

async function setFreeze(tx: Tx, merchantId: MerchantId, isOn: boolean): Promise<void> {
  const scope = { kind: 'FREEZE', merchantId, rail: null } as const
  if (!isOn) return void (await deleteFreeze(tx, scope))
  await insertFreeze(tx, { ...scope, id: newId<'freeze'>(), reason: 'law', decidedBy: 'law' })
}
