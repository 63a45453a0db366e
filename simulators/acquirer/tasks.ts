// The acquirer's tasks for later.
import type { Acquirer, AcquirerTask } from './acquirer.ts'
import { lapse } from './captures.ts'
import { openDispute } from './disputes.ts'
import { actOn, expireIntent } from './intents.ts'
import { canEnd, endRefund } from './refunds.ts'
import { endSession } from './sessions.ts'

/** Runs a due task, unless its object has changed so that nothing is left to do. */
export function perform(acquirer: Acquirer, task: AcquirerTask): void {
  switch (task.do) {
    case 'expire-session': {
      const session = acquirer.sessions.get(task.session)
      if (session?.wire.status === 'open') endSession(acquirer, session)
      return
    }
    case 'lapse': {
      const intent = acquirer.intents.get(task.intent)
      if (intent !== undefined) lapse(acquirer, intent)
      return
    }
    case 'expire-intent':
      return expireIntent(acquirer, task.intent)
    case 'end-intent': {
      const intent = acquirer.intents.get(task.intent)
      if (intent?.wire.status === 'processing') actOn(acquirer, intent, task.act)
      return
    }
    case 'dispute': {
      const charge = acquirer.charges.get(task.charge)
      if (charge !== undefined && !charge.wire.refunded && !charge.wire.disputed)
        openDispute(acquirer, charge, { reason: task.reason, isInquiry: task.isInquiry })
      return
    }
    case 'end-refund': {
      const refund = acquirer.refunds.get(task.refund)
      if (refund !== undefined && canEnd(refund, task.outcome)) endRefund(acquirer, refund, task.outcome)
    }
  }
}
