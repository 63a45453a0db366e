// A code of the API in the reader's language.
import { useWords } from '../words/reader.ts'
import { reasonWords } from '../words/reasons.ts'

type Text = (code: string | undefined) => string | undefined

/** Why a payment, withdrawal or refund failed; undefined without a code. `FailureReason` says besides what the provider said. */
export function useFailureReason(): Text {
  const { failure, failed } = useWords(reasonWords)
  return (code) => (code === undefined ? undefined : (lookUp(failure, code) ?? failed))
}

/** Why a payer disputes. */
export function useDisputeReason(): Text {
  const { dispute } = useWords(reasonWords)
  return (code) => lookUp(dispute, code) ?? code
}

/** The sentence of a code; undefined for a code without a sentence. */
export function lookUp(words: Readonly<Record<string, string>>, code = ''): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined
}
