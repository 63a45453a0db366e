// What the last test of a connection said.
import type { OperatorJob } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { useWords } from '../../words/reader.ts'
import { isOpen } from './job-view.tsx'

/** The tests that were requested last, newest first. Jobs are kept for 90 days. */
export function useTests(): readonly OperatorJob[] {
  return useList('listJobs', { query: { kind: 'connection.test', limit: 99 } }).rows ?? []
}

export function Health({ tests, id }: { readonly tests: readonly OperatorJob[]; readonly id: string }) {
  const words = useWords(operatorConnectionWords)
  const last = tests.find((job) => job.arguments['connectionId'] === id)
  if (last === undefined || last.status === 'CANCELED') return <Badge tone="calm">{words.healthNone}</Badge>
  if (isOpen(last)) return <Badge tone="wait">{words.healthRuns}</Badge>
  return last.result?.['ok'] === true ? (
    <Badge tone="good">{words.healthGood}</Badge>
  ) : (
    <Badge tone="bad">{words.healthBad}</Badge>
  )
}
