// Keeps a process away from books that are older than the newest end that it knows, as after a restore, or when an old primary
// comes back. The newest end is also kept outside of the database (cli/kept-head.ts), because a restored database does not know
// what it lost.
import { AppError } from '#/kernel/error.ts'

/** The end of the books. */
export type Standing = {
  /** Grows with each restore to an earlier moment. */
  readonly epoch: number
  readonly batch: bigint
  readonly hash: Buffer
}

export type Fence = {
  /** The newest end of the books that this process knows. */
  newest(): Standing | undefined
  /** Remembers an end of these books that no failover loses, unless a newer one is known. */
  note(found: Standing): void
  /**
   * Compares an end that was read under its lock with the newest known one. Does not remember it, because a standby may lack
   * it. Throws `unavailable` when the process knows a newer end, or another end with the same number. Then nothing was written,
   * and the listener of `onDoubt` is called.
   */
  pass(found: Standing): void
  /** `listener` finds out whether these are the books. */
  onDoubt(listener: () => void): void
}

export function createFence(): Fence {
  let newest: Standing | undefined
  let listener: (() => void) | undefined
  const note = (found: Standing): void => {
    const isNewer =
      newest === undefined ||
      found.epoch > newest.epoch ||
      (found.epoch === newest.epoch && found.batch > newest.batch)
    if (isNewer) newest = found
  }
  return {
    newest: () => newest,
    note,
    pass(found) {
      if (newest !== undefined && faultOf(newest, found) !== undefined) {
        listener?.()
        throw new AppError('unavailable', 'The database is behind what this process knows.')
      }
    },
    onDoubt(next) {
      listener = next
    },
  }
}

/** Why these cannot be the books whose newest end is known. Undefined: they may be, as far as the two ends show. */
export function faultOf(newest: Standing, found: Standing): string | undefined {
  const { epoch, batch, hash } = found
  if (epoch < newest.epoch)
    return `The database is of epoch ${epoch}, before the last restore: epoch ${newest.epoch} is known here.`
  if (epoch > newest.epoch) return undefined
  if (batch < newest.batch)
    return `The database ends with batch ${batch}, and batch ${newest.batch} is known here: what came after is lost.`
  if (batch === newest.batch && !hash.equals(newest.hash)) return otherBranch(batch)
  return undefined
}

/** The books have a batch of this number, and it is not the known one. */
export function otherBranch(batch: bigint): string {
  return `The database has another batch ${batch} than the one that is known here: it is a copy that continued separately.`
}
