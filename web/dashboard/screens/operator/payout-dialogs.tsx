// What an operator does about a withdrawal or refund that has not ended: try it now, stop it, or record its end.
import type { PayoutAct, Proposal } from '../../api/generated.ts'
import type { StuckPayout } from '../../api/operator-records.ts'
import { useDraft } from '../../kit/form.tsx'
import { Notice } from '../../kit/page.tsx'
import { operatorPayoutWords } from '../../words/operator-payouts.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorDialog } from './action-dialog.tsx'

export type Chosen = {
  readonly act: PayoutAct
  readonly payout: StuckPayout
  readonly kind: 'withdrawals' | 'refunds'
}

type DialogProps = { readonly chosen: Chosen; readonly onClose: () => void }

export function PayoutDialog({ chosen, onClose }: DialogProps) {
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
