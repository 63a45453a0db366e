// The original English text of a server, a node or a provider. It is shown beside a sentence in the reader's language, never instead of it.
import { problemWords } from '../words/problems.ts'
import { useWords } from '../words/reader.ts'

export function Details({ children }: { readonly children: string | undefined }) {
  const words = useWords(problemWords)
  if (children === undefined || children === '') return null
  return (
    <span className="mt-0.5 block break-words whitespace-normal opacity-80">
      {words.details}: <span lang="en">{children}</span>
    </span>
  )
}
