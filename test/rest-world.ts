// Checkouts by PIX at a bank, of which a part was paid; and the tabs of their payers, in processes of their own.
import assert from 'node:assert/strict'
import { settleOf, type Core } from '#/app/core.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { selectTried, type TriedAttempt } from '#/payments/attempt-queries.ts'
import { createPageOpener, type PageAttempt } from '#/payments/open.ts'
import { createRestPayer, type RestPayer } from '#/payments/pay-rest.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Rails } from '#/rails/rail.ts'
import type { PixWorld } from './pix-world.ts'
import type { BankCharge, PixBank } from './rails/pix/bank.ts'

export type RestWorld = {
  /** A checkout of this amount whose payer chose PIX. */
  open(minor: number): Promise<Payment>
  /** Pays the charge with an amount that may differ, and the bank calls back. */
  pay(txid: string, minor: number): Promise<void>
  /** Presses the button once, in this process or in a tab of another one. */
  press(payment: Payment, tab?: RestPayer): Promise<PageAttempt>
  /** Another process. */
  openTab(): Promise<RestPayer>
  tabOf(core: Core, rails?: Rails): RestPayer
  /** The payment's attempts, and the bank's charges of them, in the same order. */
  tried(payment: Payment): Promise<readonly (TriedAttempt & { readonly charge: BankCharge | undefined })[]>
  /** The txids of the charges that the bank would accept money for. */
  payable(payment: Payment): Promise<readonly string[]>
}

export function restWorld(world: PixWorld, bank: PixBank): RestWorld {
  const tabOf = (core: Core, rails: Rails = core.rails) =>
    createRestPayer({
      sql: core.sql,
      rails,
      log: silentLog,
      opener: createPageOpener({ ...core, rails, log: silentLog }),
      settle: settleOf(core),
    })
  const own = tabOf(world.core)
  const tried: RestWorld['tried'] = async ({ merchantId, id }) => {
    const all = await selectTried(world.core.sql, [{ merchantId, paymentId: id }])
    return Promise.all(all.map(async (each) => ({ ...each, charge: (await bank.charges(txidOf(each)))[0] })))
  }
  return {
    async open(minor) {
      const { payment } = await world.create({ amount: minor, currency: 'BRL', checkout: 'default' })
      const chosen = await world.core.pageOpener.openChosen(payment, { method: 'PIX' }, {})
      assert.equal(chosen.payment.status, 'WAITING_PAYMENT')
      return chosen.payment
    },
    async pay(txid, minor) {
      const endToEndId = await bank.paid(txid, { amount: (minor / 100).toFixed(2), webhook: 'lose' })
      await world.callback({ pix: [{ endToEndId, txid }] })
    },
    press: async (payment, tab = own) => tab.payRest(await world.payment(payment.id), {}),
    openTab: async () => tabOf(await world.openOther()),
    tabOf,
    tried,
    async payable(payment) {
      const all = await tried(payment)
      return all.flatMap(({ charge }) => (charge?.status === 'ATIVA' ? [charge.txid] : []))
    },
  }
}

export function txidOf({ id }: Pick<TriedAttempt, 'id'>): string {
  return id.replaceAll('-', '')
}

/** The last attempt. */
export function lastOf<Attempt>(attempts: readonly Attempt[]): Attempt {
  return must(attempts.at(-1), 'an attempt')
}
