// Faults of API calls: refused, late, never answered, or cut off after the work.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../kit/http.ts'
import type { Acquirer, FaultMode } from './acquirer.ts'
import { ApiError } from './api-error.ts'

const slowMs = 3_000
/** Longer than any caller waits. */
const silenceMs = 120_000

/** The fault of this call. */
export function nextFault({ passing, log }: Acquirer): FaultMode {
  const { fault, faultsLeft } = passing
  if (fault === 'none') return fault
  if (faultsLeft !== undefined) {
    passing.faultsLeft = faultsLeft - 1
    if (faultsLeft <= 1) endFaults(passing)
  }
  log.add(`Call spoiled: ${fault}`)
  return fault
}

export function endFaults(passing: Acquirer['passing']): void {
  passing.fault = 'none'
  delete passing.faultsLeft
}

/** Runs before the work. Returns the answer that replaces the work, if the fault prevents it. */
export async function spoilBefore(fault: FaultMode): Promise<Reply | undefined> {
  if (fault === 'timeout') {
    await sleep(silenceMs, undefined, { ref: false })
    return { status: 500, cut: 'all' }
  }
  if (fault !== '5xx') return undefined
  const message = 'An unknown error occurred. (A fault of the simulator.)'
  return new ApiError(500, { type: 'api_error', message }, false).reply
}

/** Runs while the call holds its idempotency key. */
export async function spoilDuring(fault: FaultMode): Promise<void> {
  if (fault === 'slow') await sleep(slowMs, undefined, { ref: false })
}

/** Runs when the work is done. */
export function spoilAfter(fault: FaultMode, reply: Reply): Reply {
  return fault === 'reset_after_commit' ? { ...reply, cut: 'all' } : reply
}
