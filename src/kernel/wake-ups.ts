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
