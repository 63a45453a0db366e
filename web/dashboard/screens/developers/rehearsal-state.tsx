import type { Rehearsal, RehearsalCaseResult } from '../../api/generated.ts'
import { Badge } from '../../kit/badge.tsx'
import { useWords } from '../../words/reader.ts'
import { sandboxWords } from '../../words/sandbox-tools.ts'

const tones = {
  RUNNING: 'wait',
  PASSED: 'good',
  FAILED: 'bad',
  INCOMPLETE: 'wait',
  CANCELED: 'calm',
  WAITING: 'calm',
  NOT_JUDGED: 'wait',
  SKIPPED: 'calm',
} as const

export function RehearsalState({ status }: Pick<Rehearsal, 'status'>) {
  const words = useWords(sandboxWords)
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
}

export function CaseState({ status }: Pick<RehearsalCaseResult, 'status'>) {
  const words = useWords(sandboxWords)
  return <Badge tone={tones[status]}>{words.caseStatus[status]}</Badge>
}
