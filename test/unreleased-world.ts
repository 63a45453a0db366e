// Split payments whose money waits for a settlement delay, and what each party has of them.
import assert from 'node:assert/strict'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { holdings, newSubAccount, walletOf } from './split-world.ts'
import { openTabsWorld } from './tabs-world.ts'

/** A payment, and its tab for cards. */
export type Opened = { readonly payment: Payment; readonly tab: OpenedAttempt }

export type UnreleasedWorld = Awaited<ReturnType<typeof openUnreleasedWorld>>

/** A world with two sub-accounts; `renew` makes two others. */
export async function openUnreleasedWorld() {
  const world = await openTabsWorld()
  const newSubs = async (): Promise<readonly [MerchantId, MerchantId]> => [
    await newSubAccount(world.line),
    await newSubAccount(world.line),
  ]
  let subs = await newSubs()
  /** A payment of 100.00: 40 % for the first sub-account, 20.00 for the second. */
  async function open(more: Partial<PaymentRequest> = {}): Promise<Opened> {
    const splits = [
      { subAccountId: subs[0], percent: '40' },
      { subAccountId: subs[1], amount: 2_000 },
    ]
    const { payment, tabs } = await world.open('BRL', 10_000, ['PIX', 'CREDIT_CARD'], { splits, ...more })
    return { payment, tab: must(tabs.get('CREDIT_CARD'), 'there are cards') }
  }

  async function pay({ tab }: Opened, minor = 10_000n, delayMs: number = hourMs): Promise<Receipt> {
    world.delayMs = delayMs
    const receipt = world.receipt(tab, 'paid', minor)
    await world.settle(receipt)
    return receipt
  }

  async function pendingOf(merchantId: MerchantId): Promise<bigint> {
    const name = `wallet:${await walletOf(world.line, merchantId)}:pending`
    const [row] = await world.line.sql<{ minor: bigint }[]>`
      select minor from account join balance on account_id = id where name = ${name}`
    return row?.minor ?? 0n
  }

  const allOf = async <Each>(of: (id: MerchantId) => Promise<Each>) => [await of(subs[0]), await of(subs[1])]
  const pending = () => allOf(pendingOf)
  const available = () => allOf(async (id) => (await holdings(world.line, id)).has)
  /** The two sub-accounts have this, pending and available. */
  async function holds(
    ...expected: readonly [pending: readonly bigint[], available: readonly bigint[]]
  ): Promise<void> {
    assert.deepEqual([await pending(), await available()], expected)
  }
  const own = async () => ({
    pending: await pendingOf(world.line.merchant.id),
    available: (await holdings(world.line, world.line.merchant.id)).has,
  })

  /** What the platform's two balances changed by since then. */
  async function since(before: Awaited<ReturnType<typeof own>>): Promise<readonly bigint[]> {
    const now = await own()
    return [now.pending - before.pending, now.available - before.available]
  }

  /** Releases what one receipt brought. */
  async function releaseOnly({ payment }: Opened, nth: number): Promise<void> {
    await world.line.owner`
      update release set release_at = clock_timestamp() + interval '1 hour' where released_at is null`
    await world.line.owner`
      update release set release_at = clock_timestamp() - interval '1 hour'
       where (payment_id, ordinal) in (select payment_id, ordinal from release where payment_id = ${payment.id}
                                        order by ordinal offset ${nth - 1} limit 1)`
    const verdict = await world.line.lane.submit(world.kinds.release, {
      merchantId: payment.merchantId,
      paymentId: payment.id,
      ordinal: await ordinalOf(payment, nth),
    })
    assert.equal(verdict.kind, 'released')
  }

  async function ordinalOf({ id }: Payment, nth: number): Promise<number> {
    const [row] = await world.line.sql<{ ordinal: number }[]>`
      select ordinal from release where payment_id = ${id} order by ordinal offset ${nth - 1} limit 1`
    return must(row, 'it waits').ordinal
  }

  function disputeOf({ tab }: Opened, receipt: Receipt, minor: bigint) {
    const ref = `dp_${newId()}`
    return (outcome: 'dispute_opened' | 'dispute_won' | 'dispute_lost', fee?: bigint) =>
      world.settle(
        world.receipt(tab, outcome, minor, {
          providerRef: ref,
          dispute: {
            paidRef: receipt.providerRef,
            kind: 'CHARGEBACK',
            ...given({ fee }),
          },
        }),
      )
  }

  async function withFee<Result>(fixedMinor: bigint, work: () => Promise<Result>): Promise<Result> {
    const { id: merchantId } = world.line.merchant
    const rule = { merchantId, method: 'CREDIT_CARD', currency: 'BRL', ratePpm: 0n } as const
    await writeFeeRule(world.line.sql, { ...rule, fixedMinor })
    try {
      return await work()
    } finally {
      await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 0n })
    }
  }

  async function splitOf({ payment: { merchantId, id } }: Opened) {
    const [split] = await selectSplits(world.line.sql, [{ merchantId, paymentId: id }])
    return must(split, 'it is split')
  }

  return {
    world,
    get subs() {
      return subs
    },
    async renew() {
      world.delayMs = hourMs
      subs = await newSubs()
    },
    open,
    pay,
    pendingOf,
    pending,
    available,
    holds,
    own,
    since,
    releaseOnly,
    disputeOf,
    withFee,
    splitOf,
  }
}
