// One refund: where it stands, what happened to it, and the decision that it may wait for.
import { useParam } from '../../api/address.ts'
import type { Refund } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useRequester } from '../../api/withdrawals.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { codeOf, Definitions, InsetFacts, sumsIn, timeOf } from '../../kit/facts.tsx'
import { FailureReason } from '../../kit/failure.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { refundWords } from '../../words/refunds.ts'
import { isComing, RecordStory, useStory } from '../payments/story.tsx'
import { DecisionNotice } from '../withdrawals/decide.tsx'
import { RefundStateOf } from './list.tsx'

export function RefundPage() {
  const words = useWords(refundWords)
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const refundId = useParam('refundId')
  const story = useStory('refunds', refundId)
  return (
    <RecordPage
      of={useRead('getRefund', { id: refundId })}
      kind={words.refund}
      back={{ to: `/m/${merchantId}/refunds`, label: words.title }}
      isComing={isComing(story)}
      head={(refund) => ({
        sum: refund,
        titleText: words.refundOf(format.money(refund.amount, refund.currency)),
        badges: <RefundStateOf refund={refund} />,
        id: [refund.id, words.id],
        actions: (
          <ButtonLink icon="payments" to={`/m/${merchantId}/payments/${refund.paymentId}`}>
            {words.seePayment}
          </ButtonLink>
        ),
      })}
    >
      {(refund) => (
        <Beside side={<Facts refund={refund} />}>
          <Notices refund={refund} />
          <RecordStory area="refunds" recordId={refund.id} />
        </Beside>
      )}
    </RecordPage>
  )
}

function Notices({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  const format = useFormat()
  const amount = format.money(refund.amount, refund.currency)
  if (refund.status === 'FAILED')
    return (
      <Notice tone="bad">
        <strong>{words.failed}</strong>{' '}
        <FailureReason code={refund.failureCode} message={refund.failureMessage} /> {words.failedLead}
      </Notice>
    )
  if (refund.status !== 'PENDING' || refund.approvalRequired !== true) return null
  return (
    <DecisionNotice
      of={{
        kind: 'Refund',
        id: refund.id,
        waits: words.waits,
        titles: { approve: words.approveTitle(amount), reject: words.rejectTitle(amount) },
        leads: { approve: words.approveLead, reject: words.rejectLead },
        done: { approve: words.approveDone, reject: words.rejectDone },
        facts: (
          <InsetFacts
            items={[
              [words.amount, <strong>{amount}</strong>],
              [words.destination, <span className="break-all">{placeOf(refund) ?? words.toPayer}</span>],
              [words.beneficiary, refund.beneficiary],
              [words.reason, refund.reason],
            ]}
          />
        ),
      }}
    />
  )
}

/** The address or account that it goes to. Absent: back to where the money came from. */
function placeOf({ cryptoAddress, iban }: Refund): string | undefined {
  return cryptoAddress ?? iban
}

function Facts({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  const requester = useRequester('Refund', refund.id)
  return (
    <Card title={words.details}>
      <Definitions
        items={[
          [words.amount, sumsIn(refund.currency)(refund.amount)],
          [words.destination, codeOf(placeOf(refund), words.address, 8) ?? words.toPayer],
          [words.beneficiary, refund.beneficiary],
          [words.reason, refund.reason],
          [words.requestedBy, requester?.name],
          [words.created, timeOf(refund.createdAt)],
          [words.completed, timeOf(refund.completedAt)],
          [words.transaction, codeOf(refund.txHash, words.transaction, 8)],
        ]}
      />
    </Card>
  )
}
