// What a piece of work belongs to: the request that began it, and the trace of its caller. The context follows the work through
// its awaits, so that log lines name the request and calls to others carry the trace.
import { AsyncLocalStorage } from 'node:async_hooks'

export type Context = {
  readonly requestId?: string
  /** As `traceparent` of W3C Trace Context, checked. */
  readonly trace?: string
}

const storage = new AsyncLocalStorage<Context>()

/** Runs `work` in this context. */
export function inContext<T>(context: Context, work: () => T): T {
  return storage.run(context, work)
}

/** The context of the present work; empty outside of any. */
export function currentContext(): Context {
  return storage.getStore() ?? {}
}

/** Runs `work` with a trace that was kept. Without one, `work` runs in the present context. */
export function inTrace<T>(trace: string | null | undefined, work: () => T): T {
  return trace === null || trace === undefined ? work() : inContext({ ...currentContext(), trace }, work)
}

/** The header that carries the trace of the present work; empty when there is no trace. */
export function traceHeader(): { readonly traceparent?: string } {
  const { trace } = currentContext()
  return trace === undefined ? {} : { traceparent: trace }
}

/** Version, trace, parent and flags (W3C Trace Context Level 1, 3.2). */
const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * The trace that a header names, in the form of version 00. Undefined for anything else, because a header that cannot be read
 * is ignored (3.2.4). Of a later version the part that version 00 knows is kept.
 */
export function readTrace(header: unknown): string | undefined {
  const [, version, trace, parent, flags, rest] =
    typeof header === 'string' && header.length <= 512 ? (traceparent.exec(header) ?? []) : []
  if (trace === undefined || parent === undefined || version === 'ff') return undefined
  if (/^0+$/.test(trace) || /^0+$/.test(parent) || (version === '00' && rest !== undefined)) return undefined
  return `00-${trace}-${parent}-${flags}`
}
