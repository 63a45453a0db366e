// Why the signer could not start, or a command on its keys could not run, for the operator.

/** Printed as two sentences: `message`, then `remedy`. Never holds a secret. */
export class SignerStartError extends Error {
  override name = 'SignerStartError'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
