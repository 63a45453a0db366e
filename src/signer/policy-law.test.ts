import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { hourMs } from '#/kernel/time.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { transferSelector } from './calls.ts'
import { capWindowMs, createHistory, type SignedHistory, type Entry } from './history.ts'
import { readPolicy } from './policy-file.ts'
import { decide } from './policy.ts'
import type { Address } from './shape.ts'
import type { Transaction } from './transaction.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const keys = [at('a'), at('b')] as const
const token = at('1')
const [cap, feeCap] = [53n, 150n]

const policy = readPolicy(
  JSON.stringify({
    version: 1,
    keys: keys.map((address) => ({
      address,
      purpose: 'hot',
      chains: ['1', '2'].map((chainId) => ({
        chainId,
        maxGas: '10',
        maxFeePerGas: '10',
        maxFeesPerDay: String(feeCap),
        cancelNonces: ['2'],
        fillGaps: chainId === '1',
        calls: [{ call: 'transfer', contract: token, maxPerDay: String(cap) }],
      })),
    })),
  }),
  'policy',
)

type Step = { readonly tx: Transaction; readonly waitMs: number; readonly restart: boolean }

/** Few keys, nonces, recipients, amounts and references, so that they collide. */
const steps: fc.Arbitrary<Step> = fc.record({
  tx: fc
    .record({
      key: fc.constantFrom(keys[0], ...keys),
      chainId: fc.constantFrom(1n, 1n, 2n),
      nonce: fc.bigInt(0n, 5n),
      // Mostly the same, so that a payload is repeated with other fees.
      to: fc.constantFrom(at('d'), at('d'), at('d'), at('e')),
      amount: fc.constantFrom(9n, 9n, 9n, 18n, 27n),
      isCancel: fc.nat(3).map((number) => number === 0),
      gas: fc.bigInt(1n, 10n),
      gasPrice: fc.bigInt(0n, 10n),
      // Mostly the nonce's own; else one for which several nonces compete.
      shared: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 3 }),
    })
    .map(({ to, amount, isCancel, gasPrice, shared, ...rest }) => ({
      ...rest,
      value: 0n,
      fees: { gasPrice },
      reference: shared === null ? `own-${rest.key}/${rest.chainId}/${rest.nonce}` : `shared-${shared}`,
      ...(isCancel ? { to: rest.key, data: '0x' as const } : { to: token, data: call(to, amount) }),
    })),
  // Negative too, as clocks can go back.
  waitMs: fc.integer({ min: -2 * hourMs, max: 8 * hourMs }),
  restart: fc.boolean(),
})

function call(to: Address, amount: bigint): `0x${string}` {
  return `${transferSelector}${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
}

function replay(entries: readonly Entry[]): SignedHistory {
  const history = createHistory()
  for (const entry of entries) history.record(entry)
  return history
}

/** What was signed, in order; between two requests the signer may be restarted from its journal. */
function run(sequence: readonly Step[]): { signed: readonly Entry[]; journal: readonly Entry[] } {
  const journal: Entry[] = []
  const signed: Entry[] = []
  let history = createHistory()
  let now = 100 * hourMs
  for (const { tx, waitMs, restart } of sequence) {
    now += waitMs
    if (restart) history = replay(journal)
    const instant = history.advanceTo(now)
    const decision = decide(policy, history, tx, instant)
    if (decision.verdict === 'refuse') continue
    signed.push({ at: instant, tx })
    assert.equal(decision.wasSigned, isIn(journal, tx))
    if (decision.wasSigned) continue
    history.record({ at: instant, tx })
    journal.push({ at: instant, tx })
  }
  return { signed, journal }
}

/** Whether the bytes and the reference are in the journal. */
function isIn(journal: readonly Entry[], tx: Transaction): boolean {
  const same = journal.some((entry) =>
    isDeepStrictEqual({ ...entry.tx, reference: '' }, { ...tx, reference: '' }),
  )
  return same && journal.some((entry) => entry.tx.reference === tx.reference)
}

const slotOf = ({ key, chainId, nonce }: Transaction) => `${key}/${chainId}/${nonce}`
const isCancel = ({ data }: Transaction) => data === '0x'

function holds(sequence: readonly Step[]): void {
  const { signed, journal } = run(sequence)
  const bySlot = Map.groupBy(signed, ({ tx }) => slotOf(tx))
  for (const entries of bySlot.values()) {
    const payloads = new Set(entries.filter(({ tx }) => !isCancel(tx)).map(({ tx }) => tx.data))
    assert.ok(payloads.size <= 1, 'a nonce has two payloads')
    const first = entries.findIndex(({ tx }) => isCancel(tx))
    const isLast = entries.slice(Math.max(first, 0)).every(({ tx }) => isCancel(tx))
    if (first >= 0 && payloads.size > 0) {
      assert.equal(entries[0]?.tx.nonce, 2n, 'a cancellation without leave')
      assert.ok(isLast, 'signed after its cancellation')
    }
  }
  for (const entries of Map.groupBy(signed, ({ tx }) => tx.reference).values())
    assert.equal(new Set(entries.map(({ tx }) => slotOf(tx))).size, 1, 'a reference has two nonces')
  for (const entries of Map.groupBy(journal, ({ tx }) => `${tx.key}/${tx.chainId}`).values())
    capsHold(entries)
}

/** Counts in a different way than the history: at every instant, all nonces that were first used in the day before it. */
function capsHold(entries: readonly Entry[]): void {
  const used = new Map<bigint, Entry>()
  for (const entry of entries)
    if (!used.has(entry.tx.nonce) && !isCancel(entry.tx)) used.set(entry.tx.nonce, entry)
  for (const { at: end } of entries) {
    const isWithin = (entry: Entry) => entry.at >= end - capWindowMs && entry.at <= end
    const left = [...used.values()].filter(isWithin).map(({ tx }) => BigInt(`0x${tx.data.slice(-64)}`))
    assert.ok(left.reduce((sum, amount) => sum + amount, 0n) <= cap, 'more than the cap in 24 hours')
    // Every nonce first used in this day costs at most its most expensive version of this day.
    const fees = new Map<bigint, bigint>()
    for (const { tx } of entries.filter(isWithin)) {
      const fee = tx.gas * ('gasPrice' in tx.fees ? tx.fees.gasPrice : 0n)
      const isOld = entries.some((entry) => entry.tx.nonce === tx.nonce && entry.at < end - capWindowMs)
      if (!isOld && fee > (fees.get(tx.nonce) ?? 0n)) fees.set(tx.nonce, fee)
    }
    assert.ok([...fees.values()].reduce((sum, fee) => sum + fee, 0n) <= feeCap, 'more fees than the cap')
  }
}

test('no sequence of requests, restarts and wrong clocks gets two payloads for a nonce, two nonces for a reference, or more than a cap', (t) => {
  const runs = count({ quick: 250, soak: 40_000 })
  let signed = 0
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 80, minLength: 20 }), (sequence) => {
      signed += run(sequence).signed.length
      holds(sequence)
    }),
    { numRuns: runs },
  )
  t.diagnostic(`${runs} sequences, ${signed} signatures`)
  assert.ok(signed > runs)
})
