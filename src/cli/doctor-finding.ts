// What `doctor` found: one line of the going-live checklist.

export type Finding = {
  /** Stable: programs may look for it. */
  readonly id: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly what: string
  /** What to do. Absent when nothing is. */
  readonly remedy?: string
}

export function ok(id: string, what: string): Finding {
  return { id, status: 'ok', what }
}

/** It works, and is seldom intended. */
export function warning(id: string, what: string, remedy: string): Finding {
  return { id, status: 'warning', what, remedy }
}

/** Live money must not depend on it as it is. */
export function failed(id: string, what: string, remedy: string): Finding {
  return { id, status: 'failed', what, remedy }
}
