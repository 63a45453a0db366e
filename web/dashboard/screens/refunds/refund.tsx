// One refund: where it stands, what happened to it, and the decision that it may wait for.
import { useParam } from '../../api/address.ts'
import type { Refund } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useRequester } from '../../api/withdrawals.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { FailureReason } from '../../kit/failure.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions, Notice, PageHeader } from '../../kit/page.tsx'
import { AmountTitle, RecordId } from '../../kit/record-head.tsx'
import { Time } from '../../kit/time.tsx'
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
  const { data, error, refetch } = useRead('getRefund', { id: refundId })
  const story = useStory('refunds', refundId)
  const back = { to: `/m/${merchantId}/refunds`, label: words.title }
  if (data === undefined || isComing(story))
    return (
      <>
        <PageHeader title={words.refund} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const amount = format.money(data.amount, data.currency)
  return (
    <>
      <PageHeader
        back={back}
        titleText={words.refundOf(amount)}
        title={
          <AmountTitle kind={words.refund} amount={data.amount} currency={data.currency}>
            <RefundStateOf refund={data} />
          </AmountTitle>
        }
        lead={<RecordId value={data.id} what={words.id} />}
        actions={
          <ButtonLink icon="payments" to={`/m/${merchantId}/payments/${data.paymentId}`}>
            {words.seePayment}
          </ButtonLink>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <Notices refund={data} />
          <RecordStory area="refunds" recordId={data.id} />
        </div>
        <Facts refund={data} />
      </div>
    </>
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
          <div className="rounded-control bg-inset px-3 py-1">
            <Definitions
              items={[
                [words.amount, <strong key="amount">{amount}</strong>],
                [
                  words.destination,
                  <span key="to" className="break-all">
                    {placeOf(refund) ?? words.toPayer}
                  </span>,
                ],
                refund.beneficiary !== undefined && [words.beneficiary, refund.beneficiary],
                refund.reason !== undefined && [words.reason, refund.reason],
              ]}
            />
          </div>
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
  const place = placeOf(refund)
  return (
    <Card title={words.details}>
      <Definitions
        items={[
          [words.amount, <Money key="amount" minor={refund.amount} currency={refund.currency} />],
          [
            words.destination,
            place === undefined ? (
              words.toPayer
            ) : (
              <Code key="to" value={place} what={words.address} keep={8} />
            ),
          ],
          refund.beneficiary !== undefined && [words.beneficiary, refund.beneficiary],
          refund.reason !== undefined && [words.reason, refund.reason],
          requester !== undefined && [words.requestedBy, requester.name],
          [words.created, <Time key="created" at={refund.createdAt} />],
          refund.completedAt !== undefined && [
            words.completed,
            <Time key="completed" at={refund.completedAt} />,
          ],
          refund.txHash !== undefined && [
            words.transaction,
            <Code key="hash" value={refund.txHash} what={words.transaction} keep={8} />,
          ],
        ]}
      />
    </Card>
  )
}
