// What the event of a restore tells a merchant.
import type { Of } from '#/contract/record.ts'
import { confirmFirst, repeatable, type serviceRestore } from '#/contract/service-restore.ts'
import type { Mode } from '#/kernel/mode.ts'

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

export function restoreRecord(facts: RestoreFacts): Of<typeof serviceRestore> {
  return { ...facts, sendAgain: repeatable, askFirst: confirmFirst }
}
