// The evidence of a dispute: a form while it can be changed, and what was submitted afterwards, with the instant and the person.
import type { Dispute, DisputeEvidence } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { Loaded } from '../../kit/fault.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { evidenceWords } from '../../words/evidence.ts'
import { useWords } from '../../words/reader.ts'
import { EvidenceContent, EvidenceForm } from './evidence-form.tsx'

/** While it is on its way, it is read again: no event says that it has arrived. */
const everyMs = 2_000

export function EvidenceCard({ dispute }: { readonly dispute: Dispute }) {
  const words = useWords(evidenceWords)
  const { may } = useMerchant()
  const read = useRead('getDisputeEvidence', {
    id: dispute.id,
    everyMs: (evidence) => (evidence?.status === 'SENDING' ? everyMs : 0),
  })
  return (
    <Card title={words.title}>
      <Loaded of={read}>
        {(evidence) =>
          evidence.canChange && may('payments:write') ? (
            <EvidenceForm dispute={dispute} evidence={evidence} />
          ) : (
            <Given evidence={evidence} />
          )
        }
      </Loaded>
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
          [words.at, timeOf(submittedAt)],
          [words.arrived, timeOf(sentAt)],
          submittedAt === undefined && [words.changed, timeOf(changedAt)],
        ]}
      />
      <EvidenceContent evidence={evidence} />
    </div>
  )
}
