// Why the program could not start, in words for the person at the terminal.

/** The start failed for a reason a person can do something about. Printed as two lines: `message`, then `remedy`. */
export class StartError extends Error {
  override name = 'StartError'
  /** What to do about it, as one sentence. */
  readonly remedy: string

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.remedy = remedy
  }
}
