// The wallet's tasks for later.
import { present } from '../kit/event-store.ts'
import type { WalletTask } from './events.ts'
import { expireIfDue } from './orders.ts'
import { endRefund } from './refunds.ts'
import type { Wallet } from './wallet.ts'

/** Runs a due task. */
export function perform(wallet: Wallet, task: WalletTask): void {
  const { state } = wallet.eventStore
  switch (task.do) {
    case 'expire':
      return expireIfDue(wallet, present(state.orders.get(task.prepayId)))
    case 'end-refund':
      return endRefund(wallet, present(state.refunds.get(task.refund)), task.status)
  }
}
