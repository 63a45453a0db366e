// The bank's tasks for later.
import { present } from '../kit/event-store.ts'
import { autopay } from './autopay.ts'
import type { Bank } from './bank.ts'
import type { BankTask } from './events.ts'
import { endPayout, returnPayout } from './payouts.ts'
import { endRefund, takeBack } from './refunds.ts'
import { keyOf } from './state.ts'

/** Runs a due task. */
export function perform(bank: Bank, task: BankTask): void {
  const { state } = bank.eventStore
  switch (task.do) {
    case 'autopay':
      return autopay(bank, present(state.charges.get(keyOf(task.pixKey, task.txid))), task.scenario)
    case 'med': {
      const pix = present(state.pix.get(task.endToEndId))
      if (pix.refunds.length === 0) takeBack(bank, pix, { natureza: task.natureza, status: 'DEVOLVIDO' })
      return
    }
    case 'end-refund': {
      const pix = present(state.pix.get(task.endToEndId))
      const isOpen = pix.refunds.some(({ id, status }) => id === task.id && status === 'EM_PROCESSAMENTO')
      if (isOpen) endRefund(bank, pix, task.id, task.status)
      return
    }
    case 'end-payout':
      return endPayout(bank, present(state.payoutsByEndToEndId.get(task.payout)), task.status, task.code)
    case 'return-payout': {
      const payout = present(state.payoutsByEndToEndId.get(task.payout))
      if (payout.status === 'REALIZADO' && payout.returns.length === 0) returnPayout(bank, payout)
    }
  }
}
