// What a worker holds while it asks a provider: its take of a row, for the time of a lease.

/**
 * One take of a piece of durable work. Each take has the next number, so a worker that stood still beyond its lease is
 * known by its own.
 */
export type Claim = {
  /** Of the refund, the attempt, the signal…: what a log names. */
  readonly id: string
  /** The connection whose provider is asked. Empty for a row that was written before rows said it. */
  readonly connection: string
  /** How often the row was taken, this time included. */
  readonly number: number
}

/** When a provider was asked for what it said, and in which take. */
export type Inquiry = {
  /** By the database's clock, before the call. */
  readonly at: Date
  /** A refusal counts only while nobody has taken the work again: whoever did may have been accepted. */
  readonly claim?: Pick<Claim, 'id' | 'number'>
}

/** The name of a claim, where takes are looked up. */
export function claimKey({ id, number }: Pick<Claim, 'id' | 'number'>): string {
  return `${id}/${number}`
}
