// Says before a request that it will wait for another person, and who that can be.
import { approvalWords } from '../words/approval.ts'
import { useFormat, useWords } from '../words/reader.ts'
import { Notice } from './page.tsx'

/** `names`: as the server's review says. */
export function Approvers({ names }: { readonly names: readonly string[] }) {
  const words = useWords(approvalWords)
  const format = useFormat()
  return <Notice tone="wait">{names.length === 0 ? words.nobody : words.somebody(format.list(names))}</Notice>
}
