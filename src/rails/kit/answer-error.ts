import { ProviderError } from '#/kernel/error.ts'

/** A provider answered, and the answer is an error. */
export class AnswerError extends ProviderError {
  override name = 'AnswerError'
  /** The exact bytes of the answer. */
  readonly raw: Buffer

  constructor(outcome: ProviderError['outcome'], detail: string, raw: Buffer) {
    super(outcome, detail)
    this.raw = raw
  }
}
