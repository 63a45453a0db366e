// The only file that asks the machine for the time. Everything else is given a Clock.

export type Clock = { readonly now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only when told: for tests. */
export type TestClock = Clock & { advance: (ms: number) => void }

export function testClock(startAt: Date): TestClock {
  let at = startAt.getTime()
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms
    },
  }
}

/** How far a clock was moved ahead of the machine's, as tests do: nought for the machine's own. */
export function aheadMs(clock: Clock): number {
  return clock === systemClock ? 0 : clock.now().getTime() - systemClock.now().getTime()
}

/** `at` moved by `ms` milliseconds. */
export function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

/** The instant that `text` names in ISO 8601 with a zone, or undefined when it names none. */
export function parseInstant(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** The instant of a count of seconds since 1970, as chains write it. */
export function unixSeconds(seconds: bigint): Date {
  return new Date(Number(seconds) * 1_000)
}

export const secondMs = 1_000
export const minuteMs = 60_000
export const hourMs = 3_600_000

/** Waits `ms`, or less when `signal` is aborted. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Milliseconds of a clock that never goes back: for measuring spans only. */
export function monotonicMs(): number {
  return performance.now()
}
