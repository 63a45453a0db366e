// How long the database waits for a process of ours. These limits end what stands still: a lock must not wait for a process that was stopped,
// or whose machine is gone. Where many share a processor, a healthy process may also stand still for seconds.
let patience = 1

/** From now on every limit of this process is longer by this factor, because its processor is shared by all of it. Returns the factor until now. */
export function lengthenLimits(factor: number): number {
  const before = patience
  patience = factor
  return before
}

/** A limit of the usual length, in any unit, as this process has it. */
export function lengthened(usual: number): number {
  return usual * patience
}
