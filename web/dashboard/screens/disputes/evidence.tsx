// The evidence of a dispute: a form while it can be changed, and what was submitted afterwards, with the instant and the person.
import { useEffect } from 'react'
import type { Dispute, DisputeEvidence } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Card, Definitions, Notice } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { evidenceWords } from '../../words/evidence.ts'
import { useWords } from '../../words/reader.ts'
import { EvidenceContent } from './evidence-content.tsx'
import { EvidenceForm } from './evidence-form.tsx'

/** While it is on its way, it is read again: no event says that it has arrived. */
const everyMs = 2_000

export function EvidenceCard({ dispute }: { readonly dispute: Dispute }) {
  const words = useWords(evidenceWords)
  const { may } = useMerchant()
  const { data, error, refetch } = useRead('getDisputeEvidence', { id: dispute.id })
  const isSending = data?.status === 'SENDING'
  useEffect(() => {
    if (!isSending) return
    const timer = setInterval(() => void refetch(), everyMs)
    return () => clearInterval(timer)
  }, [isSending, refetch])
  if (data === undefined)
    return (
      <Card title={words.title}>
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </Card>
    )
  return (
    <Card title={words.title}>
      {data.canChange && may('payments:write') ? (
        <EvidenceForm dispute={dispute} evidence={data} />
      ) : (
        <Given evidence={data} />
      )}
    </Card>
  )
}

/** What was given, and what became of it. */
function Given({ evidence }: { readonly evidence: DisputeEvidence }) {
  const words = useWords(evidenceWords)
  const people = usePeople()
  const { status, changedAt, submittedAt, submittedBy, sentAt } = evidence
  if (status === 'NONE') return <p className="text-13 text-ink-soft">{words.none}</p>
  const statusTexts = { DRAFT: words.draft, SENDING: words.sending, SENT: words.sent, REFUSED: words.refused }
  return (
    <div className="flex flex-col gap-4">
      <Notice tone={status === 'REFUSED' ? 'bad' : status === 'SENT' ? 'calm' : 'wait'}>
        {statusTexts[status]}
      </Notice>
      <Definitions
        items={[
          submittedBy !== undefined && [words.by, people(submittedBy) ?? words.key],
          submittedAt !== undefined && [words.at, <Time key="at" at={submittedAt} />],
          sentAt !== undefined && [words.arrived, <Time key="sent" at={sentAt} />],
          submittedAt === undefined &&
            changedAt !== undefined && [words.changed, <Time key="changed" at={changedAt} />],
        ]}
      />
      <EvidenceContent evidence={evidence} />
    </div>
  )
}
