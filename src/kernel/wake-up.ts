/** Lets a loop sleep until it is woken. A wake-up that comes while it does not sleep is not lost. */
export function createWakeUp() {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      end?.()
    },
    /** To be called before the loop polls: a wake-up from now on means new work. */
    reset() {
      isWoken = false
    },
    // Not an AbortController: each item may wake the loop, and each abort would create an error.
    async wait(ms: number): Promise<void> {
      if (isWoken) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        end = () => {
          end = undefined
          clearTimeout(timer)
          resolve()
        }
      })
      end = undefined
    },
  }
}

// Hints between the parts of one process that something may be due.

/** What each part may be woken for; each part also polls by itself. */
export type WakeUps = {
  /** A commit wrote events: deliveries may be due. */
  readonly events: Set<() => void>
  /** There are new signals in the inbox. */
  readonly signals: Set<() => void>
  /** A refund was accepted. */
  readonly refunds: Set<() => void>
  /** There is a withdrawal to send. */
  readonly withdrawals: Set<() => void>
  /** One of our wallets has something to send. */
  readonly wallets: Set<() => void>
  /** A rehearsal began. */
  readonly rehearsals: Set<() => void>
  /** An operator requested a job. */
  readonly jobs: Set<() => void>
  /** There is a letter to send. */
  readonly letters: Set<() => void>
  /** A sandbox's clock is to be advanced. */
  readonly clocks: Set<() => void>
  /** A sandbox's clock was advanced: anything of its merchant may be due. */
  readonly dates: Set<() => void>
}

export function createWakeUps(): WakeUps {
  const none = () => new Set<() => void>()
  return {
    events: none(),
    signals: none(),
    refunds: none(),
    withdrawals: none(),
    wallets: none(),
    rehearsals: none(),
    jobs: none(),
    letters: none(),
    clocks: none(),
    dates: none(),
  }
}
