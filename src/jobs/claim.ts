// The claim that a worker holds on a row during its lease, while it calls a provider.

/**
 * One claim of a row of durable work. Each claim of a row has the next number. A worker with an earlier number was superseded
 * after its lease.
 */
export type Claim = {
  /** The id of the refund, attempt, signal …, as the log names it. */
  readonly id: string
  /** The connection whose provider is called. Empty for a row older than the column. */
  readonly connection: string
  /** How often the row was claimed, this claim included. */
  readonly number: number
  /** The trace of the call that the work follows from. */
  readonly trace?: string | null
}

/** When the provider was called for an answer, and in which claim. */
export type Inquiry = {
  /** By the database's clock, before the call. */
  readonly at: Date
  /** A refusal counts only while no other worker has claimed the row: the call of that worker may have been accepted. */
  readonly claim?: Pick<Claim, 'id' | 'number'>
}

/** The key of a claim in a map. */
export function claimKey({ id, number }: Pick<Claim, 'id' | 'number'>): string {
  return `${id}/${number}`
}
