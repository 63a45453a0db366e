// Why a payment, withdrawal or refund failed.
import { problemWords } from '../words/problems.ts'
import { useWords } from '../words/reader.ts'
import { reasonWords } from '../words/reasons.ts'

/** The sentence of the code. When the code has no sentence: also the provider's text. Without a code: nothing. */
export function FailureReason({
  code,
  message,
}: {
  readonly code: string | undefined
  readonly message: string | undefined
}) {
  const { failure } = useWords(reasonWords)
  const sentence = useFailureReason()(code)
  if (sentence === undefined) return null
  return (
    <>
      {sentence}
      {lookUp(failure, code) === undefined && <Details>{message ?? code}</Details>}
    </>
  )
}

// The original English text of a server, a node or a provider. It is shown beside a sentence in the reader's language, never instead of it.

export function Details({ children }: { readonly children: string | undefined }) {
  const words = useWords(problemWords)
  if (children === undefined || children === '') return null
  return (
    <span className="mt-0.5 block break-words whitespace-normal opacity-80">
      {words.details}: <span lang="en">{children}</span>
    </span>
  )
}

// A code of the API in the reader's language.

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
