// What an operator does about a withdrawal or refund that has not ended: try it now, stop it, or record its end.
import { useState } from 'react'
import type { PayoutAct, Proposal } from '../../api/generated.ts'
import type { StuckPayout } from '../../api/operator-records.ts'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorPayoutWords } from '../../words/operator-payouts.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'

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
        <ActionDialog
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
        <ActionDialog
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
function useSaid(onClose: () => void) {
  const words = useWords(operatorPayoutWords)
  return ({ proposal }: { readonly proposal?: Proposal }) => {
    toast(proposal === undefined ? words.endDone : words.proposed)
    onClose()
  }
}

/** A withdrawal, or a refund on a chain whose nonce a foreign transaction used: a person found out how it ended. */
function EndAsFound({ chosen: { payout, kind }, onClose }: DialogProps) {
  const words = useWords(operatorPayoutWords)
  const format = useFormat()
  const said = useSaid(onClose)
  const [end, setEnd] = useState<'sent' | 'refused'>('sent')
  const isRefund = kind === 'refunds'
  const amount = format.money(payout.amount, payout.currency)
  // One that failed may only turn out to be paid after all.
  const hasEnded = payout.cause === undefined
  return (
    <ActionDialog
      title={isRefund ? words.refundFoundTitle(amount) : words.endTitle(amount)}
      lead={words.endLead}
      act={words.acts.end}
      reason="needed"
      call={isRefund ? 'endRefund' : 'resolveWithdrawal'}
      id={payout.id}
      body={() => (isRefund ? { found: end } : { end })}
      onAnswer={said}
      onClose={onClose}
    >
      {() => (
        <>
          {payout.needsTwo && <Notice>{words.needsTwo}</Notice>}
          <RadioCards
            legend={words.acts.end}
            value={end}
            onChange={setEnd}
            options={[
              { value: 'sent', label: words.sent, help: words.sentHelp },
              ...(hasEnded
                ? []
                : [{ value: 'refused' as const, label: words.refused, help: words.refusedHelp }]),
            ]}
          />
        </>
      )}
    </ActionDialog>
  )
}

function EndRefund({ chosen: { payout, act }, onClose }: DialogProps) {
  const words = useWords(operatorPayoutWords)
  const format = useFormat()
  const said = useSaid(onClose)
  const [proof, setProof] = useState('')
  const [wasTried, setTried] = useState(false)
  const given = proof.trim()
  const isMissing = act === 'prove' && given === ''
  return (
    <ActionDialog
      title={words.refundEndTitle(format.money(payout.amount, payout.currency))}
      lead={words.refundEndLead}
      act={words.acts[act]}
      isDanger
      reason="needed"
      call="endRefund"
      id={payout.id}
      body={() => {
        setTried(true)
        return isMissing ? undefined : given === '' ? {} : { proof: given }
      }}
      onAnswer={said}
      onClose={onClose}
    >
      {() => (
        <>
          {payout.needsTwo && <Notice>{words.needsTwo}</Notice>}
          {act === 'prove' && (
            <TextField
              label={words.proof}
              help={words.proofHelp}
              fault={wasTried && isMissing ? words.proofMissing : undefined}
              value={proof}
              maxLength={500}
              onChange={(event) => setProof(event.target.value)}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}
