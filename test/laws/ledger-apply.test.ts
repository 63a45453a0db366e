// The ledger's rules, compared with a model that shares no code with them, over many random groups of postings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, type Posting, type Transfer } from '#/ledger/apply.ts'
import type { AccountSpec } from '#/ledger/chart.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { createModel } from './ledger-model.ts'
import { allAccounts, postings } from './ledger-postings.ts'

/** About 100,000 postings in a quick run. */
const histories = fc.array(fc.array(postings(400), { minLength: 1, maxLength: 6 }), { maxLength: 30 })
const runs = { numRuns: count({ quick: 1_000, soak: 200_000 }) }

/** Our rules over a state in memory. */
function createBooks() {
  const balances = new Map<string, bigint>()
  const earlier = new Map<string, Transfer>()
  const currencies = new Map<string, AccountSpec['currency']>()
  const opened = ({ key }: AccountSpec) => currencies.get(key)
  const balance = (account: AccountSpec) =>
    opened(account) === account.currency ? (balances.get(account.key) ?? 0n) : 0n
  return {
    balance,
    transfers: earlier,
    post(group: readonly Posting[]) {
      const before = new Map(balances)
      const applied = apply(
        { balance, opened, earlier: (subject, step) => earlier.get(`${subject} ${step}`) },
        group,
      )
      // `apply` only decides; it must not change the balances.
      assert.deepEqual(balances, before)
      if (!applied.ok) return applied
      for (const [key, minor] of applied.after) balances.set(key, minor)
      for (const transfer of applied.transfers) {
        earlier.set(`${transfer.subject} ${transfer.step}`, transfer)
        for (const { key, currency } of [transfer.debit, transfer.credit])
          currencies.set(key, currencies.get(key) ?? currency)
      }
      return applied
    },
  }
}

test('groups are booked or refused, with the same amounts, as in the model; no rejection throws', () => {
  fc.assert(
    fc.property(histories, (groups) => {
      const books = createBooks()
      const model = createModel()
      for (const group of groups) {
        const applied = books.post(group)
        const expected = model.post(group)
        assert.equal(applied.ok, expected.ok)
        const moved = applied.ok
          ? applied.transfers.map(({ debit, credit, minor }) => ({ from: debit.key, to: credit.key, minor }))
          : []
        assert.deepEqual(moved, expected.moved)
        for (const account of allAccounts) assert.equal(books.balance(account), model.balance(account))
      }
      assert.equal(books.transfers.size, model.transfers)
    }),
    runs,
  )
})

test('money is neither made nor lost in any currency, and no floor is broken, after any history', () => {
  fc.assert(
    fc.property(histories, (groups) => {
      const books = createBooks()
      for (const group of groups) books.post(group)
      const sums = new Map<string, bigint>()
      for (const account of allAccounts) {
        const minor = books.balance(account)
        if (account.floored) assert.ok(minor >= 0n)
        sums.set(
          account.currency,
          (sums.get(account.currency) ?? 0n) + (account.side === 'DEBIT' ? minor : -minor),
        )
      }
      for (const sum of sums.values()) assert.equal(sum, 0n)
    }),
    runs,
  )
})

test('a refused group changes nothing, and its verdict names what is missing', () => {
  fc.assert(
    fc.property(histories, (groups) => {
      const books = createBooks()
      for (const group of groups) {
        const applied = books.post(group)
        if (applied.ok) continue
        const { refusal } = applied
        if (refusal.reason === 'conflict') {
          const pair = group.filter(
            ({ subject, step }) => subject === refusal.subject && step === refusal.step,
          )
          assert.ok(pair.length > 1 || books.transfers.has(`${refusal.subject} ${refusal.step}`))
        } else if (refusal.reason === 'other_currency') {
          assert.notEqual(refusal.account.currency, refusal.opened)
          assert.ok(
            group.some(({ debit, credit }) =>
              [debit, credit].some(
                ({ key, currency }) => key === refusal.account.key && currency !== refusal.opened,
              ),
            ),
          )
        } else {
          assert.ok(refusal.missing > 0n && refusal.account.floored)
        }
      }
    }),
    runs,
  )
})

test('a group is booked once: submitted again, it moves nothing', () => {
  fc.assert(
    fc.property(histories, (groups) => {
      const books = createBooks()
      for (const group of groups) {
        const applied = books.post(group)
        // An "up to" posting that moved nothing leaves no trace to recognise it by; and of a repeated pair only one is made.
        const pairs = new Set(group.map(({ subject, step }) => `${subject} ${step}`))
        if (!applied.ok || pairs.size < group.length || [...pairs].some((pair) => !books.transfers.has(pair)))
          continue
        const again = books.post(group)
        assert.ok(again.ok)
        assert.deepEqual(again.transfers, [])
      }
    }),
    runs,
  )
})

test('what a pot moves together never exceeds its first amount, and is all of it when its last posting must', () => {
  fc.assert(
    fc.property(histories, (groups) => {
      const books = createBooks()
      for (const group of groups) {
        const fresh = group.every(({ subject, step }) => !books.transfers.has(`${subject} ${step}`))
        const pairs = new Set(group.map(({ subject, step }) => `${subject} ${step}`))
        const applied = books.post(group)
        if (!applied.ok || !fresh || pairs.size < group.length) continue
        for (const [pot, members] of Map.groupBy(group, (posting) => posting.pot)) {
          if (pot === undefined) continue
          const steps = new Set(members.map(({ subject, step }) => `${subject} ${step}`))
          const moved: bigint = applied.transfers
            .filter(({ subject, step }) => steps.has(`${subject} ${step}`))
            .reduce((sum, { minor }) => sum + minor, 0n)
          const first = members[0]?.minor ?? 0n
          assert.ok(moved <= first)
          if (members.some(({ upTo }) => !upTo)) assert.equal(moved, first)
        }
      }
    }),
    runs,
  )
})
