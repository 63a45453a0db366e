// Why a payment, withdrawal or refund failed.
import { useWords } from '../words/reader.ts'
import { reasonWords } from '../words/reasons.ts'
import { Details } from './details.tsx'
import { lookUp, useFailureReason } from './reason.ts'

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
