// What a merchant is told of a restore to an earlier moment.
import type { Mode } from '#/kernel/mode.ts'

/** What was accepted in the lost span and may be sent again. A repeated one is a new one: its idempotency key is lost too. */
export const repeatable = ['PAYMENT', 'PAYMENT_LINK', 'WALLET', 'WEBHOOK_ENDPOINT'] as const

/** What may have moved money already: only after the operator has said that it did not. */
export const confirmFirst = ['REFUND', 'WITHDRAWAL', 'TRANSFER'] as const

export type RestoreFacts = {
  readonly id: string
  readonly mode: Mode
  /** From the newest change that was restored until the repair began: what was answered in between may be lost. */
  readonly lostFrom: string
  readonly lostTo: string
  /** The merchant's last event number that was restored, and the first that follows. Those in between are never given again. */
  readonly lastSequence: number
  readonly firstSequence: number
}

export function restoreRecord(facts: RestoreFacts) {
  return { ...facts, sendAgain: repeatable, askFirst: confirmFirst }
}
