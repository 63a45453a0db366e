// One withdrawal: where it stands, what happened to it, and what can be decided about it.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../api/address.ts'
import type { Withdrawal } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useRequester } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { FailureReason } from '../../kit/failure.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import type { Minor } from '../../kit/format.ts'
import { Icon, type IconName } from '../../kit/icons.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions, Notice, PageHeader } from '../../kit/page.tsx'
import { AmountTitle, RecordId } from '../../kit/record-head.tsx'
import { Time } from '../../kit/time.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { RecordStory, isComing, useStory } from '../payments/story.tsx'
import { CancelDialog, DecisionNotice } from './decide.tsx'
import { DestinationOf, WithdrawalState, destinationText } from './state.tsx'

/** Nothing was sent, so it can still be canceled. */
const cancelable: readonly Withdrawal['status'][] = ['PENDING', 'PENDING_APPROVAL']

export function WithdrawalPage() {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const { id: merchantId, may } = useMerchant()
  const withdrawalId = useParam('withdrawalId')
  const { data, error, refetch } = useRead('getWithdrawal', { id: withdrawalId })
  const story = useStory('withdrawals', withdrawalId)
  const [isCanceling, setCanceling] = useState(false)
  const back = { to: `/m/${merchantId}/withdrawals`, label: words.title }
  if (data === undefined || isComing(story))
    return (
      <>
        <PageHeader title={words.withdrawal} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const amount = format.money(data.amount, data.currency)
  const canCancel = may('withdrawals:write') && cancelable.includes(data.status)
  return (
    <>
      <PageHeader
        back={back}
        titleText={words.withdrawalOf(amount)}
        title={
          <AmountTitle kind={words.withdrawal} amount={data.amount} currency={data.currency}>
            <WithdrawalState withdrawal={data} />
          </AmountTitle>
        }
        lead={<RecordId value={data.id} what={words.id} />}
        actions={
          canCancel && (
            <Button icon="cross" onClick={() => setCanceling(true)}>
              {words.cancel}
            </Button>
          )
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <Notices withdrawal={data} />
          <Progress withdrawal={data} />
          <RecordStory area="withdrawals" recordId={data.id} />
        </div>
        <Facts withdrawal={data} />
      </div>
      {isCanceling && (
        <CancelDialog
          kind="Withdrawal"
          id={data.id}
          title={words.cancelTitle(amount)}
          lead={words.cancelLead}
          label={words.cancel}
          done={words.cancelDone}
          facts={<Movement withdrawal={data} />}
          onClose={() => setCanceling(false)}
        />
      )}
    </>
  )
}

function Notices({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const { id, status, currency, batchId, amountReturned, failureCode, failureMessage } = withdrawal
  const amount = format.money(withdrawal.amount, currency)
  return (
    <>
      {/* A batch is decided as one, on its own page. */}
      {status === 'PENDING_APPROVAL' && batchId === undefined && (
        <DecisionNotice
          of={{
            kind: 'Withdrawal',
            id,
            waits: words.waits,
            titles: { approve: words.approveTitle(amount), reject: words.rejectTitle(amount) },
            leads: { approve: words.approveLead, reject: words.rejectLead },
            done: { approve: words.approveDone, reject: words.rejectDone },
            facts: <Movement withdrawal={withdrawal} />,
          }}
        />
      )}
      {status === 'PENDING_APPROVAL' && batchId !== undefined && (
        <Notice action={<BatchLink id={batchId} />}>{words.batchWaits}</Notice>
      )}
      {status === 'FAILED' && (
        <Notice tone="bad">
          <strong>{words.failed}</strong>
          {failureCode !== undefined && ': '}
          <FailureReason code={failureCode} message={failureMessage} /> {words.failedLead}
        </Notice>
      )}
      {amountReturned !== undefined && (
        <Notice tone="bad">{words.moneyBack(format.money(amountReturned, currency))}</Notice>
      )}
      {withdrawal.reviewRequired === true && <Notice>{words.reviewRequired}</Notice>}
    </>
  )
}

function BatchLink({ id }: { readonly id: string }) {
  const words = useWords(withdrawalWords)
  const { id: merchantId } = useMerchant()
  return (
    <Link to={`/m/${merchantId}/withdrawals/batches/${id}`} className="link text-13">
      {words.batch}
    </Link>
  )
}

/** What leaves, and where to. */
export function Movement({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const words = useWords(withdrawalWords)
  const { currency } = withdrawal
  const money = (minor: Minor) => <Money minor={minor} currency={currency} />
  return (
    <div className="rounded-control bg-inset px-3 py-1">
      <Definitions
        items={[
          [words.amount, money(withdrawal.amount)],
          [words.fee, money(withdrawal.fee)],
          [words.total, <strong key="total">{money(withdrawal.totalDebited)}</strong>],
          withdrawal.beneficiary !== undefined && [words.beneficiary, withdrawal.beneficiary],
          [
            words.destination,
            <span key="to" className="break-all">
              {destinationText(withdrawal)}
            </span>,
          ],
        ]}
      />
    </div>
  )
}

function Facts({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const words = useWords(withdrawalWords)
  const { id: merchantId, may } = useMerchant()
  const { currency, walletId } = withdrawal
  const { data: wallet } = useRead('getWallet', { id: walletId, enabled: may('wallets:read') })
  const requester = useRequester('Withdrawal', withdrawal.id)
  const money = (minor: Minor) => <Money minor={minor} currency={currency} />
  const metadata = Object.entries(withdrawal.metadata ?? {})
  return (
    <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
      <Card title={words.details}>
        <Definitions
          items={[
            [words.destination, <DestinationOf key="to" of={withdrawal} />],
            [words.amount, money(withdrawal.amount)],
            [words.fee, money(withdrawal.fee)],
            [words.total, <strong key="total">{money(withdrawal.totalDebited)}</strong>],
            withdrawal.amountReturned !== undefined && [words.returned, money(withdrawal.amountReturned)],
            wallet !== undefined && [
              words.wallet,
              <Link key="wallet" to={`/m/${merchantId}/wallets/${wallet.id}`} className="link">
                {wallet.label}
              </Link>,
            ],
            withdrawal.batchId !== undefined && [
              words.batch,
              <BatchLink key="batch" id={withdrawal.batchId} />,
            ],
            withdrawal.payoutScheduleId !== undefined && [
              words.schedule,
              <Link key="schedule" to={`/m/${merchantId}/withdrawals/schedules`} className="link">
                {words.schedules}
              </Link>,
            ],
            requester !== undefined && [words.requestedBy, requester.name],
            [words.created, <Time key="created" at={withdrawal.createdAt} />],
            withdrawal.completedAt !== undefined && [
              words.completed,
              <Time key="completed" at={withdrawal.completedAt} />,
            ],
            withdrawal.description !== undefined && [words.noteShort, withdrawal.description],
            withdrawal.endToEndId !== undefined && [
              words.endToEnd,
              <Code key="end" value={withdrawal.endToEndId} what={words.endToEnd} keep={8} />,
            ],
            withdrawal.txHash !== undefined && [
              words.transaction,
              <Code key="hash" value={withdrawal.txHash} what={words.transaction} keep={8} />,
            ],
          ]}
        />
      </Card>
      {metadata.length > 0 && (
        <Card title={words.metadata}>
          <Definitions
            items={metadata.map(
              ([name, value]) =>
                [
                  name,
                  <span key={name} className="break-all">
                    {typeof value === 'string' ? value : JSON.stringify(value)}
                  </span>,
                ] as const,
            )}
          />
        </Card>
      )}
    </div>
  )
}

// The steps of a withdrawal: requested, approved where that is needed, sent, arrived. The live feed keeps them current.

type Mark = 'done' | 'now' | 'next' | 'bad'

const styles: Readonly<Record<Mark, readonly [string, IconName]>> = {
  done: ['bg-good-tint text-good', 'check'],
  now: ['bg-wait-tint text-wait', 'clock'],
  next: ['bg-inset text-ink-soft', 'dash'],
  bad: ['bg-bad-tint text-bad', 'close'],
}

export function Progress({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const words = useWords(withdrawalWords)
  const { status } = withdrawal
  const steps: readonly (readonly [string, Mark])[] = [
    [words.step.requested, 'done'],
    ...(status === 'PENDING_APPROVAL' ? [[words.step.approval, 'now'] as const] : []),
    [words.step.sent, sentOf(status)],
    [status === 'FAILED' || status === 'CANCELED' ? words.status[status] : words.step.arrived, endOf(status)],
  ]
  return (
    <ol aria-label={words.steps} className="flex flex-wrap gap-y-2 max-sm:gap-x-4">
      {steps.map(([name, mark], index) => {
        const [tint, icon] = styles[mark]
        return (
          <li
            key={name}
            aria-current={mark === 'now' ? 'step' : undefined}
            className="flex min-w-0 items-center gap-2 text-13"
          >
            {index > 0 && <span aria-hidden="true" className="mx-2 h-px w-8 bg-line max-sm:hidden" />}
            <span
              className={`grid size-6 shrink-0 place-items-center rounded-full transition-colors duration-200 ${tint}`}
            >
              <Icon name={icon} size={14} />
            </span>
            <span className={mark === 'now' ? 'font-strong' : mark === 'next' ? 'text-ink-soft' : ''}>
              {name}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function sentOf(status: Withdrawal['status']): Mark {
  if (status === 'PENDING') return 'now'
  return status === 'PENDING_APPROVAL' || status === 'CANCELED' ? 'next' : 'done'
}

function endOf(status: Withdrawal['status']): Mark {
  if (status === 'COMPLETED') return 'done'
  if (status === 'FAILED' || status === 'CANCELED') return 'bad'
  return status === 'PROCESSING' ? 'now' : 'next'
}
