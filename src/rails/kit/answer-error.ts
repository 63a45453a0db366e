import { ProviderError } from '#/kernel/error.ts'

/** A provider answered, and the answer is an error. */
export class AnswerError extends ProviderError {
  override name = 'AnswerError'
  /** What it said, byte by byte. */
  readonly raw: Buffer

  constructor(outcome: ProviderError['outcome'], detail: string, raw: Buffer) {
    super(outcome, detail)
    this.raw = raw
  }
}
