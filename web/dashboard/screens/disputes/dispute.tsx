// One dispute: what is due, what it means for the money, and what happened to it.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useParam } from '../../api/address.ts'
import type { Dispute } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault, LoadingOrFault } from '../../kit/fault.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions, Notice, PageHeader } from '../../kit/page.tsx'
import { useDisputeReason } from '../../kit/reason.ts'
import { AmountTitle, RecordId } from '../../kit/record-head.tsx'
import { DisputeState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
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
  const { data, error, refetch } = useRead('getDispute', { id: disputeId })
  const [isAccepting, setAccepting] = useState(false)
  const back = { to: `/m/${merchantId}/disputes`, label: words.title }
  if (data === undefined)
    return (
      <>
        <PageHeader title={words.dispute} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const canAccept = may('payments:write') && data.status === 'OPEN' && data.kind === 'CHARGEBACK'
  return (
    <>
      <PageHeader
        back={back}
        titleText={words.disputeOf(format.money(data.amount, data.currency))}
        title={
          <AmountTitle kind={words.dispute} amount={data.amount} currency={data.currency}>
            <DisputeState status={data.status} />
          </AmountTitle>
        }
        lead={<RecordId value={data.id} what={words.id} />}
        actions={
          <>
            {data.paymentId !== undefined && (
              <ButtonLink icon="payments" to={`/m/${merchantId}/payments/${data.paymentId}`}>
                {words.seePayment}
              </ButtonLink>
            )}
            {canAccept && (
              <Button variant="danger" onClick={() => setAccepting(true)}>
                {words.accept}
              </Button>
            )}
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <Standing dispute={data} />
          {data.kind === 'CHARGEBACK' && data.paymentId !== undefined && <EvidenceCard dispute={data} />}
          {data.paymentId !== undefined && (
            <RecordStory
              area="payments"
              recordId={data.paymentId}
              only={(step) => step.disputeId === data.id}
            />
          )}
        </div>
        <Facts dispute={data} />
      </div>
      {isAccepting && <AcceptDialog dispute={data} onClose={() => setAccepting(false)} />}
    </>
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
  return (
    <Card title={words.details}>
      <Definitions
        items={[
          [words.kind, states.disputeKind[dispute.kind]],
          [words.amount, <Money key="amount" minor={amount} currency={currency} />],
          BigInt(fee) > 0n && [words.fee, <Money key="fee" minor={fee} currency={currency} />],
          reason !== undefined && [words.reason, reasonOf(reason)],
          [words.created, <Time key="created" at={createdAt} />],
          evidenceDueAt !== undefined && [words.due, <Time key="due" at={evidenceDueAt} />],
          closedAt !== undefined && [words.closed, <Time key="closed" at={closedAt} />],
        ]}
      />
    </Card>
  )
}

function AcceptDialog({ dispute, onClose }: { readonly dispute: Dispute; readonly onClose: () => void }) {
  const words = useWords(disputeWords)
  const format = useFormat()
  const act = useAct()
  const accept = async () => {
    if (!(await act.send('acceptDispute', { id: dispute.id }))) return
    toast(words.acceptDone)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.acceptTitle(format.money(dispute.amount, dispute.currency))}
      lead={words.acceptLead}
    >
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void accept()}>
          {words.accept}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
