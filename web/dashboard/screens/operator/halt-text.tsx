import type { HaltReason } from '../../api/generated.ts'
import { Details } from '../../kit/details.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { useWords } from '../../words/reader.ts'

/** Why a chain is halted or a wallet stopped: a sentence, and below it the text that was stored. */
export function HaltText({
  reason,
  text,
}: {
  readonly reason: HaltReason | undefined
  readonly text: string | undefined
}) {
  const { halts, haltUnknown } = useWords(operatorChainWords)
  const sentences: Readonly<Record<string, (of: (name: string) => string) => string>> = halts
  const sentence =
    reason !== undefined && Object.hasOwn(sentences, reason.key) ? sentences[reason.key] : undefined
  return (
    <>
      {sentence?.((name) => reason?.values[name] ?? '') ?? haltUnknown}
      <Details>{text}</Details>
    </>
  )
}
