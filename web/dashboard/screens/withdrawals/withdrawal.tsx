// One withdrawal: where it stands, what happened to it, and what can be decided about it.
import { Link } from '@tanstack/react-router'
import type { Withdrawal } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { useRequester } from '../../api/withdrawals.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { codeOf, Definitions, InsetFacts, MetadataCard, sumsIn, timeOf } from '../../kit/facts.tsx'
import { Icon, type IconName } from '../../kit/icons.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { FailureReason } from '../../kit/reason.tsx'
import { Beside, RecordPage, Stack } from '../../kit/record-page.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { RecordStory, isComing, useStory } from '../payments/story.tsx'
import { DecisionNotice } from './decide.tsx'
import { DestinationOf, WithdrawalState, destinationText } from './state.tsx'

/** Nothing was sent, so it can still be canceled. */
const cancelable: readonly Withdrawal['status'][] = ['PENDING', 'PENDING_APPROVAL']

export function WithdrawalPage() {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const { id: merchantId, may } = useMerchant()
  const withdrawalId = useParam('withdrawalId')
  const story = useStory('withdrawals', withdrawalId)
  return (
    <RecordPage
      of={useRead('getWithdrawal', { id: withdrawalId })}
      kind={words.withdrawal}
      back={{ to: `/m/${merchantId}/withdrawals`, label: words.title }}
      isComing={isComing(story)}
      head={(withdrawal) => {
        const amount = format.money(withdrawal.amount, withdrawal.currency)
        return {
          sum: withdrawal,
          titleText: words.withdrawalOf(amount),
          badges: <WithdrawalState withdrawal={withdrawal} />,
          id: [withdrawal.id, words.id],
          actions: may('withdrawals:write') && cancelable.includes(withdrawal.status) && (
            <ActionButton
              opener={{ icon: 'cross' }}
              call="cancelWithdrawal"
              id={withdrawal.id}
              title={words.cancelTitle(amount)}
              lead={words.cancelLead}
              act={words.cancel}
              isDanger
              done={words.cancelDone}
            >
              <Movement withdrawal={withdrawal} />
            </ActionButton>
          ),
        }
      }}
    >
      {(withdrawal) => (
        <Beside side={<Facts withdrawal={withdrawal} />}>
          <Notices withdrawal={withdrawal} />
          <Progress withdrawal={withdrawal} />
          <RecordStory area="withdrawals" recordId={withdrawal.id} />
        </Beside>
      )}
    </RecordPage>
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
  const sum = sumsIn(withdrawal.currency)
  return (
    <InsetFacts
      items={[
        [words.amount, sum(withdrawal.amount)],
        [words.fee, sum(withdrawal.fee)],
        [words.total, sum(withdrawal.totalDebited, true)],
        [words.beneficiary, withdrawal.beneficiary],
        [words.destination, <span className="break-all">{destinationText(withdrawal)}</span>],
      ]}
    />
  )
}

function Facts({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const words = useWords(withdrawalWords)
  const { id: merchantId, may } = useMerchant()
  const { currency, walletId } = withdrawal
  const { data: wallet } = useRead('getWallet', { id: walletId, enabled: may('wallets:read') })
  const requester = useRequester('Withdrawal', withdrawal.id)
  const sum = sumsIn(currency)
  const link = (to: string, text: string) => (
    <Link to={`/m/${merchantId}/${to}`} className="link">
      {text}
    </Link>
  )
  return (
    <Stack>
      <Card title={words.details}>
        <Definitions
          items={[
            [words.destination, <DestinationOf of={withdrawal} />],
            [words.amount, sum(withdrawal.amount)],
            [words.fee, sum(withdrawal.fee)],
            [words.total, sum(withdrawal.totalDebited, true)],
            [words.returned, sum(withdrawal.amountReturned)],
            wallet !== undefined && [words.wallet, link(`wallets/${wallet.id}`, wallet.label)],
            withdrawal.batchId !== undefined && [words.batch, <BatchLink id={withdrawal.batchId} />],
            withdrawal.payoutScheduleId !== undefined && [
              words.schedule,
              link('withdrawals/schedules', words.schedules),
            ],
            [words.requestedBy, requester?.name],
            [words.created, timeOf(withdrawal.createdAt)],
            [words.completed, timeOf(withdrawal.completedAt)],
            [words.noteShort, withdrawal.description],
            [words.endToEnd, codeOf(withdrawal.endToEndId, words.endToEnd, 8)],
            [words.transaction, codeOf(withdrawal.txHash, words.transaction, 8)],
          ]}
        />
      </Card>
      <MetadataCard
        title={words.metadata}
        metadata={withdrawal.metadata}
        show={(value) => <span className="break-all">{value}</span>}
      />
    </Stack>
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
