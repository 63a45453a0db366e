import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantError } from '#/kernel/check.ts'
import { sha256 } from '#/kernel/secret.ts'
import { accounts, posting } from '../../test/books.ts'
import { apply, type Applied, type Posting, type Transfer } from './apply.ts'
import type { AccountSpec } from './chart.ts'

const { bank, wallet, owed, fees } = accounts

/** Applies to books with these balances and these earlier transfers. */
function on(
  balances: readonly (readonly [AccountSpec, number])[],
  group: readonly Posting[],
  earlier: readonly Transfer[] = [],
): Applied {
  const before = new Map(balances.map(([account, minor]) => [account.key, BigInt(minor)]))
  return apply(
    {
      balance: (account) => before.get(account.key) ?? 0n,
      opened: ({ key }) => balances.find(([account]) => account.key === key)?.[0].currency,
      earlier: (subject, step) => earlier.find((each) => each.subject === subject && each.step === step),
    },
    group,
  )
}

function movedBy(applied: Applied): readonly bigint[] {
  return applied.ok ? applied.transfers.map(({ minor }) => minor) : []
}

test('a debit lowers a liability and raises an asset, a credit the other way round', () => {
  const applied = on([[wallet(1), 50]], [posting(bank(), wallet(1), 10), posting(wallet(1), fees(), 3)])
  assert.ok(applied.ok)
  assert.deepEqual(
    [bank(), wallet(1), fees()].map(({ key }) => applied.after.get(key)),
    [10n, 57n, 3n],
  )
})

test('a debit that would take a floored account below zero is refused, with the missing amount', () => {
  const applied = on([[wallet(1), 50]], [posting(wallet(1), wallet(2), 51)])
  assert.deepEqual(applied, {
    ok: false,
    refusal: { reason: 'insufficient_funds', account: wallet(1), missing: 1n },
  })
  assert.equal(on([[wallet(1), 50]], [posting(wallet(1), wallet(2), 50)]).ok, true)
  // A receivable is an asset: a credit lowers it.
  const repaid = on(
    [
      [owed(), 5],
      [wallet(1), 50],
    ],
    [posting(wallet(1), owed(), 6)],
  )
  assert.deepEqual(repaid, {
    ok: false,
    refusal: { reason: 'insufficient_funds', account: owed(), missing: 1n },
  })
})

test('an account without a floor goes below zero', () => {
  const applied = on([], [posting(fees(), wallet(1), 10)])
  assert.ok(applied.ok)
  assert.equal(applied.after.get(fees().key), -10n)
})

test('a group is decided in its order: money that a posting brings can leave by a later one, not by an earlier one', () => {
  assert.equal(on([], [posting(bank(), wallet(1), 10), posting(wallet(1), wallet(2), 10)]).ok, true)
  assert.equal(on([], [posting(wallet(1), wallet(2), 10), posting(bank(), wallet(1), 10)]).ok, false)
})

test('nothing is written for zero', () => {
  const applied = on([], [posting(bank(), wallet(1), 0)])
  assert.deepEqual(applied, { ok: true, transfers: [], after: new Map() })
})

test('upTo: moves as much as the account has, and nothing when it has nothing', () => {
  const upTo = { upTo: true } as const
  assert.deepEqual(movedBy(on([[wallet(1), 30]], [posting(wallet(1), wallet(2), 50, upTo)])), [30n])
  assert.deepEqual(movedBy(on([[wallet(1), 80]], [posting(wallet(1), wallet(2), 50, upTo)])), [50n])
  assert.deepEqual(movedBy(on([], [posting(wallet(1), wallet(2), 50, upTo)])), [])
  // Both sides have a floor: a repayment is limited by the debt and by the balance.
  assert.deepEqual(
    movedBy(
      on(
        [
          [wallet(1), 30],
          [owed(), 20],
        ],
        [posting(wallet(1), owed(), 50, upTo)],
      ),
    ),
    [20n],
  )
  assert.deepEqual(
    movedBy(
      on(
        [
          [wallet(1), 10],
          [owed(), 20],
        ],
        [posting(wallet(1), owed(), 50, upTo)],
      ),
    ),
    [10n],
  )
})

test('upTo: only a floor limits, and only on the side that the posting lowers', () => {
  const upTo = { upTo: true } as const
  const rows: readonly (readonly [AccountSpec, AccountSpec])[] = [
    // Lowered, and without a floor.
    [fees(), wallet(1)],
    [wallet(9), bank()],
    // With a floor, and raised.
    [owed(), wallet(1)],
    [bank(), wallet(1)],
  ]
  for (const [debit, credit] of rows)
    assert.deepEqual(movedBy(on([[wallet(9), 50]], [posting(debit, credit, 50, upTo)])), [50n])
})

test('an upTo posting that moved all that it asked for moves nothing again', () => {
  const first = posting(bank(), wallet(1), 50, { upTo: true })
  assert.deepEqual(on([[wallet(1), 50]], [first], [first]), { ok: true, transfers: [], after: new Map() })
})

test('a pot: each posting moves what the earlier ones left, and the last moves the rest', () => {
  const subject = '019a0000-0000-7000-8000-00000000000a'
  const from = (name: number, step: string, more: Partial<Posting> = {}) =>
    posting(wallet(name), wallet(9), 100, { subject, step, pot: 'refund', upTo: true, ...more })
  const debt = posting(owed(), wallet(9), 100, { subject, step: 'debt', pot: 'refund' })
  const group = [from(1, 'a'), from(2, 'b'), debt]
  assert.deepEqual(
    movedBy(
      on(
        [
          [wallet(1), 60],
          [wallet(2), 30],
        ],
        group,
      ),
    ),
    [60n, 30n, 10n],
  )
  assert.deepEqual(
    movedBy(
      on(
        [
          [wallet(1), 60],
          [wallet(2), 90],
        ],
        group,
      ),
    ),
    [60n, 40n],
  )
  assert.deepEqual(movedBy(on([], group)), [100n])
  // If the last posting is also `upTo`, the missing amount is not moved.
  assert.deepEqual(movedBy(on([[wallet(1), 60]], group.slice(0, 2))), [60n])
})

test('the same group a second time moves nothing, at any balance, and other content is a conflict', () => {
  const subject = '019a0000-0000-7000-8000-00000000000b'
  const group = [
    posting(wallet(1), wallet(9), 100, { subject, step: 'a', pot: 'p', upTo: true }),
    posting(wallet(2), wallet(9), 100, { subject, step: 'b', pot: 'p' }),
  ]
  const first = on(
    [
      [wallet(1), 60],
      [wallet(2), 90],
    ],
    group,
  )
  assert.ok(first.ok)
  for (const now of [
    [],
    [[wallet(1), 500]],
    [
      [wallet(1), 10],
      [wallet(2), 500],
    ],
  ] as const) {
    assert.deepEqual(movedBy(on(now, group, first.transfers)), [])
    assert.equal(on(now, group, first.transfers).ok, true)
  }
  const conflicts: readonly Partial<Posting>[] = [
    { kind: 'FEE' },
    { debit: wallet(3) },
    { credit: wallet(3) },
    { cause: sha256('other') },
    // The first moved 60, so it was not the same posting with up to 50.
    { minor: 50n },
  ]
  for (const more of conflicts) {
    const [a] = group
    const again = on([[wallet(1), 500]], [{ ...(a ?? assert.fail()), ...more }], first.transfers)
    assert.deepEqual(again, { ok: false, refusal: { reason: 'conflict', subject, step: 'a' } })
  }
})

test('zero is other content than an earlier transfer', () => {
  const before = posting(bank(), wallet(1), 5)
  const applied = on([], [{ ...before, minor: 0n }], [before])
  assert.deepEqual(applied, {
    ok: false,
    refusal: { reason: 'conflict', subject: before.subject, step: before.step },
  })
})

test('a (subject, step) pair that comes twice in one group counts once, or is a conflict', () => {
  const one = posting(bank(), wallet(1), 10)
  assert.deepEqual(movedBy(on([], [one, one])), [10n])
  assert.equal(on([], [one, { ...one, minor: 11n }]).ok, false)
})

test('our own mistakes throw instead of being refused', () => {
  const far = 2n ** 63n - 1n
  const live = { ...wallet(1), mode: 'LIVE', key: `LIVE/${wallet(1).name}` } as const
  for (const wrong of [
    posting(bank(), wallet(1), -1),
    posting(wallet(1), wallet(1), 1),
    posting(bank(), wallet(1, 'EUR'), 1),
    posting(bank(), live, 1),
  ]) {
    assert.throws(() => on([[wallet(1), 50]], [wrong]), InvariantError)
  }
  assert.deepEqual(movedBy(on([], [posting(bank(), wallet(1), far)])), [far])
  assert.throws(
    () => on([], [posting(bank(), wallet(1), far), posting(bank(), wallet(1), 1)]),
    InvariantError,
  )
})

test('an account keeps the currency in which it was opened, before the group or by it', () => {
  const inDollars = { ...wallet(1), currency: 'USD' as const }
  const refused = { ok: false, refusal: { reason: 'other_currency', account: inDollars, opened: 'BRL' } }
  assert.deepEqual(on([[wallet(1), 50]], [posting(bank('USD'), inDollars, 10)]), refused)
  assert.deepEqual(on([[wallet(1), 50]], [posting(inDollars, fees('USD'), 10, { upTo: true })]), refused)
  const group = [posting(bank(), wallet(1), 10), posting(bank('USD'), inDollars, 10)]
  assert.deepEqual(on([], group), refused)
  assert.equal(on([], group.slice(1)).ok, true)
  // The first posting of a group opens what it debits, too.
  const spent = [posting(bank(), wallet(2), 10), posting(owed(), wallet(2), 5)]
  const owedInDollars = { ...owed(), currency: 'USD' as const }
  assert.deepEqual(on([], [...spent, posting(owedInDollars, wallet(3, 'USD'), 1)]), {
    ok: false,
    refusal: { reason: 'other_currency', account: owedInDollars, opened: 'BRL' },
  })
})
