import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutTypes, withdrawalStatuses } from '#/contract/withdrawals.ts'
import { connect } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { next } from '#/kernel/state.ts'
import { beyondRail, withinLimits } from '#/money-out/limits.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { testDatabase } from '../../test/postgres.ts'
import { chooseWallet } from './accept.ts'
import { isEnded, withdrawalStates, type WithdrawalEvent, type WithdrawalStatus } from './withdrawal.ts'

/** The table again, as sentences: from, event, to. Any other combination is refused. */
const moves: readonly (readonly [WithdrawalStatus, WithdrawalEvent, WithdrawalStatus])[] = [
  ['PENDING', 'sending', 'PROCESSING'],
  ['PENDING', 'canceled', 'CANCELED'],
  ['PENDING_APPROVAL', 'approved', 'PENDING'],
  ['PENDING_APPROVAL', 'canceled', 'CANCELED'],
  ['PROCESSING', 'done', 'COMPLETED'],
  ['PROCESSING', 'refused', 'FAILED'],
  // Only while it waits in a queue of our own: see test/laws/coins.test.ts.
  ['PROCESSING', 'canceled', 'CANCELED'],
  // The provider paid it after all.
  ['FAILED', 'done', 'COMPLETED'],
  ['CANCELED', 'done', 'COMPLETED'],
]
const events = ['approved', 'canceled', 'sending', 'done', 'refused'] as const

test('only the moves in the table are possible, and an end leads only to COMPLETED', () => {
  for (const from of withdrawalStatuses) {
    for (const event of events) {
      const expected = moves.find(([a, b]) => a === from && b === event)?.[2]
      assert.equal(next(withdrawalStates, from, event), expected, `${from} ${event}`)
    }
    const isOver = ['COMPLETED', 'FAILED', 'CANCELED'].includes(from)
    assert.equal(isEnded({ status: from }), isOver, from)
    const further = moves.filter(([a, event]) => a === from && !(isOver && event === 'done'))
    assert.equal(further.length === 0, isOver, from)
  }
})

test('the largest amount of each rail can leave, and no cent more', () => {
  const most = {
    // Ten digits, the point, two digits.
    PIX: 9_999_999_999_99n,
    SEPA: 999_999_999_99n,
    // The largest number of 256 bits, in units of 10^-18, has this many whole cents.
    CRYPTO: 11579208923731619542357098500868790785326998466564056403945758n,
  } as const
  for (const type of payoutTypes) {
    assert.equal(beyondRail(type, most[type]), undefined, type)
    assert.deepEqual(beyondRail(type, most[type] + 1n), {
      ok: false,
      reason: 'rail',
      limitMinor: most[type],
      leftMinor: most[type],
    })
  }
})

test('the database has the same states and types', async () => {
  await using database = await testDatabase()
  const sql = connect(database.ownerUrl, { max: 1 })
  const checked = async (constraint: string) => {
    const [row] = await sql<{ text: string }[]>`
      select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${constraint}`
    return [...(row?.text ?? '').matchAll(/'([A-Z_]+)'/g)].map((match) => String(match[1])).toSorted()
  }
  assert.deepEqual(await checked('withdrawal_status'), [...withdrawalStatuses].toSorted())
  assert.deepEqual(await checked('withdrawal_type'), [...payoutTypes].toSorted())
  await sql.end()
})

const merchantId = newId<'merchant'>() as MerchantId
const walletOf = (more: Partial<Wallet>): Wallet => ({
  merchantId,
  id: newId<'wallet'>(),
  currency: 'BRL',
  walletType: 'SPENDABLE',
  label: 'x',
  isDefault: false,
  isActive: true,
  version: 1,
  createdAt: new Date(0),
  ...more,
})

test('the wallet is the named one; else the default one, else the oldest, of those that cover it', () => {
  const wallets = fc.array(
    fc.record({
      balance: fc.bigInt({ min: 0n, max: 20n }),
      isActive: fc.boolean(),
      walletType: fc.constantFrom('SPENDABLE' as const, 'RESERVE' as const),
    }),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(
      wallets,
      fc.nat(5),
      fc.bigInt({ min: 1n, max: 20n }),
      fc.option(fc.nat(5)),
      (sorts, first, debit, nth) => {
        const all = sorts.map(({ isActive, walletType }, index) =>
          walletOf({ isActive: isActive || index === first, walletType, isDefault: index === first }),
        )
        const balanceOf = ({ id }: Wallet) => sorts[all.findIndex((each) => each.id === id)]?.balance ?? 0n
        const named = nth === null ? undefined : (all[nth]?.id ?? newId<'wallet'>())
        const choice = chooseWallet(all, balanceOf, debit, named)
        const spendable = all.filter((each) => each.isActive && each.walletType === 'SPENDABLE')
        const wanted = named === undefined ? spendable : spendable.filter(({ id }) => id === named)
        const covering = wanted.filter((each) => balanceOf(each) >= debit)
        const best = covering.find((each) => each.isDefault) ?? covering[0]
        assert.equal(choice.ok ? choice.wallet.id : undefined, best?.id)
        if (choice.ok || choice.reason !== 'insufficient_funds') return
        assert.ok(choice.missing > 0n && wanted.length > 0)
        const held = wanted.reduce((sum, each) => sum + balanceOf(each), 0n)
        assert.equal(choice.together, held >= debit ? held : undefined)
      },
    ),
    { numRuns: count({ quick: 1_000, soak: 100_000 }) },
  )
})

test('limits allow exactly what they leave, to the cent', () => {
  const minor = fc.bigInt({ min: 1n, max: 30n })
  const maybe = fc.option(minor)
  fc.assert(
    fc.property(
      fc.record({ eachMinor: maybe, dayMinor: maybe, approvalAboveMinor: maybe, listedOnly: fc.boolean() }),
      minor,
      fc.bigInt({ min: 0n, max: 40n }),
      fc.boolean(),
      (rules, amount, spentMinor, isListed) => {
        const limit = { merchantId, type: 'PIX', currency: 'BRL', ...rules } as const
        const verdict = withinLimits(limit, amount, { spentMinor, isListed })
        const fits =
          (!rules.listedOnly || isListed) &&
          (rules.eachMinor === null || amount <= rules.eachMinor) &&
          (rules.dayMinor === null || spentMinor + amount <= rules.dayMinor)
        assert.equal(verdict.ok, fits)
        if (verdict.ok)
          assert.equal(
            verdict.needsApproval,
            rules.approvalAboveMinor !== null && amount > rules.approvalAboveMinor,
          )
        else if ('leftMinor' in verdict) assert.ok(verdict.leftMinor >= 0n && amount > verdict.leftMinor)
      },
    ),
    { numRuns: count({ quick: 1_000, soak: 100_000 }) },
  )
  assert.deepEqual(withinLimits(undefined, 10n ** 15n, { spentMinor: 0n, isListed: false }), {
    ok: true,
    needsApproval: false,
  })
})
