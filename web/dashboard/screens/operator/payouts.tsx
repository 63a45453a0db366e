// Withdrawals and refunds of all merchants that have not ended: why, since when, and what an operator may do about each.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OperatorRefund, PayoutAct, Proposal } from '../../api/generated.ts'
import type { StuckPayout } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/session.ts'
import { OpenerButton } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/copy.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader, Notice } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorPayoutWords } from '../../words/operator-payouts.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorDialog } from './action-dialog.tsx'
import { Approvals } from './approvals.tsx'
import { Line, ModeBadge, useMethodName } from './parts.tsx'

export function StuckWithdrawals() {
  const words = useWords(operatorPayoutWords)
  const records = useRecords('listOperatorWithdrawals', {
    query: { order: 'oldest', wanted: 'open' },
    filters: [
      {
        name: 'wanted',
        label: words.wanted,
        options: Object.entries(words.wantedOf).map(([value, label]) => ({ value, label })),
      },
    ],
  })
  return (
    <>
      <PageHeader title={words.withdrawals} lead={words.withdrawalsLead} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <Approvals />
        <RecordList
          records={records}
          words={{ title: words.withdrawals, none: words.none, noneLead: words.noneLead }}
          icon="checkCircle"
          line={(each) => (
            <PayoutLine payout={each} method={each.type} kind="withdrawals">
              <span className="block break-all text-ink-soft">
                {words.to}: {each.destination}
              </span>
            </PayoutLine>
          )}
        />
      </div>
    </>
  )
}

export function StuckRefunds() {
  const words = useWords(operatorPayoutWords)
  const records = useAllRecords('listOpenRefunds')
  return (
    <>
      <PageHeader title={words.refunds} lead={words.refundsLead} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <Approvals />
        <RecordList
          records={{ ...records, rows: records.rows && byAge(records.rows) }}
          words={{ title: words.refunds, none: words.none, noneLead: words.noneLead }}
          icon="checkCircle"
          line={(each) => <PayoutLine payout={each} method={each.method} kind="refunds" />}
        />
      </div>
    </>
  )
}

function byAge(refunds: readonly OperatorRefund[]): readonly OperatorRefund[] {
  return refunds.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
}

function PayoutLine({
  payout,
  method,
  kind,
  children,
}: {
  readonly payout: StuckPayout
  readonly method: string
  readonly kind: Chosen['kind']
  readonly children?: ReactNode
}) {
  const words = useWords(operatorPayoutWords)
  const shared = useWords(operatorWords)
  const nameOf = useMethodName()
  const { id, mode, amount, currency, createdAt, merchantId, merchantName, cause, detail, dueAt } = payout
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-72">
        <span className="flex flex-wrap items-center gap-2">
          <Money minor={amount} currency={currency} className="text-15 font-strong" />
          <span>{nameOf(method)}</span>
          <ModeBadge mode={mode} />
          {payout.needsTwo && (
            <Badge tone="wait" icon="user">
              2<span className="aside"> {words.needsTwo}</span>
            </Badge>
          )}
        </span>
        <span className="block break-words">
          {cause === undefined ? words.ended : words.causes[cause]}
          <Details>{detail}</Details>
        </span>
        {children}
        <span className="flex flex-wrap items-center gap-x-3 text-ink-soft">
          <Link
            to={`/operator/merchants/${merchantId}`}
            className="link inline-flex items-center phone:min-h-11"
          >
            {merchantName ?? merchantId}
          </Link>
          <Code value={id} what={shared.id} />
          <span>
            {shared.since} <Time at={createdAt} />
          </span>
          {dueAt !== undefined && cause !== undefined && (
            <span>
              {words.next}: <Time at={dueAt} />
            </span>
          )}
        </span>
      </span>
      <Acts payout={payout} kind={kind} />
    </Line>
  )
}

function Acts({ payout, kind }: Omit<Chosen, 'act'>) {
  const words = useWords(operatorPayoutWords)
  const format = useFormat()
  const may = useMayOperate()
  return (
    <span className="flex flex-wrap gap-2">
      {payout.acts
        .filter((act) => may(act === 'end' || act === 'prove' ? 'approve' : 'write'))
        .map((act) => (
          <OpenerButton
            key={act}
            variant={act === 'stop' ? 'danger' : 'plain'}
            act={words.acts[act]}
            about={format.money(payout.amount, payout.currency)}
            dialog={(onClose) => <PayoutDialog chosen={{ act, payout, kind }} onClose={onClose} />}
          />
        ))}
    </span>
  )
}

// What an operator does about a withdrawal or refund that has not ended: try it now, stop it, or record its end.

type Chosen = {
  readonly act: PayoutAct
  readonly payout: StuckPayout
  readonly kind: 'withdrawals' | 'refunds'
}

type DialogProps = { readonly chosen: Chosen; readonly onClose: () => void }

function PayoutDialog({ chosen, onClose }: DialogProps) {
  const words = useWords(operatorPayoutWords)
  const format = useFormat()
  const { act, payout, kind } = chosen
  const amount = format.money(payout.amount, payout.currency)
  switch (act) {
    case 'retry':
      return (
        <OperatorDialog
          title={`${words.acts.retry}: ${amount}`}
          lead={words.retryLead}
          act={words.acts.retry}
          reason="maybe"
          call={kind === 'refunds' ? 'retryRefund' : 'retryWithdrawal'}
          id={payout.id}
          done={words.retried}
          onClose={onClose}
        />
      )
    case 'stop':
      return (
        <OperatorDialog
          title={`${words.acts.stop}: ${amount}`}
          lead={words.stopLead}
          act={words.acts.stop}
          isDanger
          reason="needed"
          call="stopPayout"
          id={payout.id}
          done={words.stopped}
          onClose={onClose}
        />
      )
    case 'end':
    case 'prove':
      return kind === 'withdrawals' || payout.cause === 'nonce_taken' ? (
        <EndAsFound chosen={chosen} onClose={onClose} />
      ) : (
        <EndRefund chosen={chosen} onClose={onClose} />
      )
  }
}

/** Says what has become of it: recorded, or requested of another person. */
function useSaid() {
  const words = useWords(operatorPayoutWords)
  return ({ proposal }: { readonly proposal?: Proposal }) =>
    proposal === undefined ? words.endDone : words.proposed
}

/** A withdrawal, or a refund on a chain whose nonce a foreign transaction used: a person found out how it ended. */
function EndAsFound({ chosen: { payout, kind }, onClose }: DialogProps) {
  const words = useWords(operatorPayoutWords)
  const format = useFormat()
  const said = useSaid()
  const draft = useDraft({ end: 'sent' as 'sent' | 'refused' })
  const { end } = draft.values
  const isRefund = kind === 'refunds'
  const amount = format.money(payout.amount, payout.currency)
  // One that failed may only turn out to be paid after all.
  const hasEnded = payout.cause === undefined
  return (
    <OperatorDialog
      title={isRefund ? words.refundFoundTitle(amount) : words.endTitle(amount)}
      lead={words.endLead}
      act={words.acts.end}
      reason="needed"
      call={isRefund ? 'endRefund' : 'resolveWithdrawal'}
      id={payout.id}
      draft={draft}
      fields={[
        needsTwo(payout, words.needsTwo),
        {
          name: 'end',
          label: words.acts.end,
          cards: [
            { value: 'sent', label: words.sent, help: words.sentHelp },
            ...(hasEnded
              ? []
              : [{ value: 'refused' as const, label: words.refused, help: words.refusedHelp }]),
          ],
        },
      ]}
      body={() => (isRefund ? { found: end } : { end })}
      done={said}
      onClose={onClose}
    />
  )
}

/** That a second person has to decide. */
function needsTwo(payout: StuckPayout, sentence: string) {
  return payout.needsTwo && <Notice key="two">{sentence}</Notice>
}

function EndRefund({ chosen: { payout, act }, onClose }: DialogProps) {
  const words = useWords(operatorPayoutWords)
  const format = useFormat()
  const said = useSaid()
  const draft = useDraft({ proof: '' })
  const proof = draft.values.proof.trim()
  return (
    <OperatorDialog
      title={words.refundEndTitle(format.money(payout.amount, payout.currency))}
      lead={words.refundEndLead}
      act={words.acts[act]}
      isDanger
      reason="needed"
      call="endRefund"
      id={payout.id}
      draft={draft}
      fields={[
        needsTwo(payout, words.needsTwo),
        act === 'prove' && {
          name: 'proof',
          label: words.proof,
          help: words.proofHelp,
          maxLength: 500,
          wrong: proof === '' && words.proofMissing,
        },
      ]}
      body={() => (proof === '' ? {} : { proof })}
      done={said}
      onClose={onClose}
    />
  )
}
