// The payer's actions on an order: from the wallet's page, or by the control call that acts as the payer.
import { now } from '../kit/clock.ts'
import { controlProblem } from '../kit/refusal.ts'
import { endOrder, expireIfDue, payOrder } from './orders.ts'
import { statusOf, type Order, type OrderStatus } from './state.ts'
import type { Wallet } from './wallet.ts'

export const payerActions = ['begin', 'confirm', 'refuse', 'expire', 'insufficient'] as const
export type PayerAction = (typeof payerActions)[number]

/**
 * Performs the action, and returns the order's new status. Throws a problem when the order is over. `force`: confirms even an order
 * that was closed or has expired, like a payment that was already under way.
 */
export function act(wallet: Wallet, order: Order, action: PayerAction, force = false): OrderStatus {
  expireIfDue(wallet, order)
  const isForced = force && action === 'confirm' && order.stage !== 'PAID'
  if (order.stage !== 'INITIAL' && order.stage !== 'PENDING' && !isForced)
    throw controlProblem(409, 'order_over', `The order is ${statusOf(order)}`)
  const { prepayId } = order
  switch (action) {
    case 'begin':
      if (order.stage === 'INITIAL') wallet.eventStore.record({ type: 'order.begun', at: now(), prepayId })
      break
    case 'confirm':
      payOrder(wallet, order)
      break
    case 'refuse':
      endOrder(wallet, order, 'CANCELED', 'payer')
      break
    case 'expire':
      endOrder(wallet, order, 'EXPIRED', 'clock')
      break
    case 'insufficient':
      wallet.eventStore.record({ type: 'order.short', at: now(), prepayId })
  }
  return statusOf(order)
}

/** A payer pays from the wallet's page, if the wallet has enough. */
export function confirmFromPage(wallet: Wallet, order: Order): void {
  const isEnough = BigInt(wallet.eventStore.state.modes.payerBalance) >= order.amount
  act(wallet, order, isEnough ? 'confirm' : 'insufficient')
}
