// What can be decided about a withdrawal or a batch that waits, and its dialogs. Each names the amount and where it goes.
import { useState, type ReactNode } from 'react'
import { useAct } from '../../api/act.ts'
import { codeOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { useRequester, type Requested } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

type Decision = 'approve' | 'reject'

export type Deciding = {
  readonly kind: Requested
  readonly id: string
  /** What waits, in a sentence. */
  readonly waits: string
  readonly titles: Readonly<Record<Decision, string>>
  readonly leads: Readonly<Record<Decision, string>>
  readonly done: Readonly<Record<Decision, string>>
  /** What is decided about: amount, fee, destination. */
  readonly facts: ReactNode
}

/**
 * Says that a second person has to decide, with the buttons to do so. The person who made the request gets the reason instead of the
 * buttons.
 */
export function DecisionNotice({ of }: { readonly of: Deciding }) {
  const words = useWords(withdrawalWords)
  const { may } = useMerchant()
  const requester = useRequester(of.kind, of.id)
  const [decision, setDecision] = useState<Decision>()
  const mayDecide = may('withdrawals:approve') && requester?.isMe !== true
  const why =
    requester?.isMe === true ? words.waitsOwn : may('withdrawals:approve') ? of.waits : words.waitsRole
  return (
    <Notice
      action={
        mayDecide && (
          <span className="flex gap-2">
            <Button variant="danger" onClick={() => setDecision('reject')}>
              {words.reject}
            </Button>
            <Button variant="primary" onClick={() => setDecision('approve')}>
              {words.approve}
            </Button>
          </span>
        )
      }
    >
      {why}
      {decision !== undefined && (
        <DecisionDialog of={of} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </Notice>
  )
}

function DecisionDialog({
  of,
  decision,
  onClose,
}: {
  readonly of: Deciding
  readonly decision: Decision
  readonly onClose: () => void
}) {
  const words = useWords(withdrawalWords)
  const act = useAct()
  const decide = async () => {
    if (!(await act.send(`${decision}${of.kind}`, { id: of.id }))) return
    toast(of.done[decision])
    onClose()
  }
  const code = codeOf(act.error)
  return (
    <Dialog open onClose={onClose} title={of.titles[decision]} lead={of.leads[decision]}>
      {of.facts}
      {code === 'forbidden' ? (
        <Notice tone="bad">{words.ownRefused}</Notice>
      ) : code === 'destination_not_allowed' ? (
        <Notice tone="bad">{words.notListed}</Notice>
      ) : (
        <FormFault error={act.error} />
      )}
      <DialogActions onCancel={onClose}>
        <Button
          variant={decision === 'approve' ? 'primary' : 'danger'}
          busy={act.isBusy}
          onClick={() => void decide()}
        >
          {words[decision]}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Cancels what was not sent yet. */
export function CancelDialog({
  kind,
  id,
  title,
  lead,
  label,
  done,
  facts,
  onClose,
}: {
  readonly kind: 'Withdrawal' | 'WithdrawalBatch'
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly done: string
  readonly facts?: ReactNode
  readonly onClose: () => void
}) {
  const act = useAct()
  const cancel = async () => {
    if (!(await act.send(`cancel${kind}`, { id }))) return
    toast(done)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={title} lead={lead}>
      {facts}
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void cancel()}>
          {label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
