// A code of the API in the reader's language. The server's own text stands in for a code that is not known here, or has no fixed text.
import { useWords } from '../words/reader.ts'
import { reasonWords } from '../words/reasons.ts'

type Text = (code: string | undefined, message?: string) => string | undefined

/** Why a payment, withdrawal or refund failed. `message`: what the server says. */
export function useFailureReason(): Text {
  const { failure } = useWords(reasonWords)
  return (code, message) => lookUp(failure, code) ?? message ?? code
}

/** Why a payer disputes. */
export function useDisputeReason(): Text {
  const { dispute } = useWords(reasonWords)
  return (code) => lookUp(dispute, code) ?? code
}

function lookUp(words: Readonly<Record<string, string>>, code = ''): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined
}
