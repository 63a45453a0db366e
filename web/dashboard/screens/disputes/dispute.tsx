// One dispute: what is due, what it means for the money, and what happened to it.
import { useParam } from '../../api/address.ts'
import type { Dispute } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Definitions, sumsIn, timeOf } from '../../kit/facts.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { useDisputeReason } from '../../kit/reason.ts'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { DisputeState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { disputeWords } from '../../words/disputes.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { RecordStory } from '../payments/story.tsx'
import { EvidenceCard } from './evidence.tsx'
import { useDue } from './list.tsx'

export function DisputePage() {
  const words = useWords(disputeWords)
  const format = useFormat()
  const { id: merchantId, may } = useMerchant()
  const disputeId = useParam('disputeId')
  return (
    <RecordPage
      of={useRead('getDispute', { id: disputeId })}
      kind={words.dispute}
      back={{ to: `/m/${merchantId}/disputes`, label: words.title }}
      head={(dispute) => {
        const { id, paymentId, status, kind } = dispute
        const amount = format.money(dispute.amount, dispute.currency)
        return {
          sum: dispute,
          titleText: words.disputeOf(amount),
          badges: <DisputeState status={status} />,
          id: [id, words.id],
          actions: (
            <>
              {paymentId !== undefined && (
                <ButtonLink icon="payments" to={`/m/${merchantId}/payments/${paymentId}`}>
                  {words.seePayment}
                </ButtonLink>
              )}
              {may('payments:write') && status === 'OPEN' && kind === 'CHARGEBACK' && (
                <ActionButton
                  variant="danger"
                  call="acceptDispute"
                  id={id}
                  title={words.acceptTitle(amount)}
                  lead={words.acceptLead}
                  act={words.accept}
                  isDanger
                  done={words.acceptDone}
                />
              )}
            </>
          ),
        }
      }}
    >
      {(dispute) => (
        <Beside side={<Facts dispute={dispute} />}>
          <Standing dispute={dispute} />
          {dispute.kind === 'CHARGEBACK' && dispute.paymentId !== undefined && (
            <EvidenceCard dispute={dispute} />
          )}
          {dispute.paymentId !== undefined && (
            <RecordStory
              area="payments"
              recordId={dispute.paymentId}
              only={(step) => step.disputeId === dispute.id}
            />
          )}
        </Beside>
      )}
    </RecordPage>
  )
}

/** What is due and what it means for the money, before everything else. */
function Standing({ dispute }: { readonly dispute: Dispute }) {
  const words = useWords(disputeWords)
  const due = useDue(dispute)
  const { status, kind, evidenceDueAt } = dispute
  if (status !== 'OPEN') return <Notice tone="calm">{status === 'WON' ? words.won : words.lost}</Notice>
  return (
    <Notice
      tone={due?.isUrgent === true ? 'bad' : 'wait'}
      action={evidenceDueAt !== undefined && <Time at={evidenceDueAt} className="text-13" />}
    >
      {due !== undefined && <strong className="block">{due.text}</strong>}
      {words.open} {kind === 'CHARGEBACK' ? words.evidence : words.med}
    </Notice>
  )
}

function Facts({ dispute }: { readonly dispute: Dispute }) {
  const reasonOf = useDisputeReason()
  const words = useWords(disputeWords)
  const states = useWords(stateWords)
  const { amount, fee, currency, reason, evidenceDueAt, createdAt, closedAt } = dispute
  const sum = sumsIn(currency)
  return (
    <Card title={words.details}>
      <Definitions
        items={[
          [words.kind, states.disputeKind[dispute.kind]],
          [words.amount, sum(amount)],
          BigInt(fee) > 0n && [words.fee, sum(fee)],
          [words.reason, reasonOf(reason)],
          [words.created, timeOf(createdAt)],
          [words.due, timeOf(evidenceDueAt)],
          [words.closed, timeOf(closedAt)],
        ]}
      />
    </Card>
  )
}
