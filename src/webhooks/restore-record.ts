// What the event of a restore tells a merchant.
import type { Mode } from '#/kernel/mode.ts'

/**
 * What was accepted in the lost span, and the merchant may request again. The repeated request makes a new record, because its idempotency
 * key was lost too.
 */
export const repeatable = ['PAYMENT', 'PAYMENT_LINK', 'WALLET', 'WEBHOOK_ENDPOINT'] as const

/** What may have moved money already: to be requested again only after the operator has confirmed that no money moved. */
export const confirmFirst = ['REFUND', 'WITHDRAWAL', 'TRANSFER'] as const

export type RestoreFacts = {
  readonly id: string
  readonly mode: Mode
  /** From the newest change that was restored until the beginning of the repair: what was answered in between may be lost. */
  readonly lostFrom: string
  readonly lostTo: string
  /** The merchant's last event number that was restored, and the first number after it. The numbers in between are never used again. */
  readonly lastSequence: number
  readonly firstSequence: number
}

export function restoreRecord(facts: RestoreFacts) {
  return { ...facts, sendAgain: repeatable, askFirst: confirmFirst }
}
