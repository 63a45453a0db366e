// The reason why the program could not start, for the person at the terminal.

/** The start failed for a reason that a person can remove. Printed as two lines: `message`, then `remedy`. */
export class StartError extends Error {
  override name = 'StartError'
  /** What to do about it, as one sentence. */
  readonly remedy: string

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.remedy = remedy
  }
}
