// What can be decided about a withdrawal, batch or refund that waits. Each dialog names the amount and where it goes.
import type { ReactNode } from 'react'
import { codeOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { useRequester, type Requested } from '../../api/withdrawals.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { Notice } from '../../kit/page.tsx'
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
  const mayDecide = may('withdrawals:approve') && requester?.isMe !== true
  const why =
    requester?.isMe === true ? words.waitsOwn : may('withdrawals:approve') ? of.waits : words.waitsRole
  return (
    <Notice
      action={
        mayDecide && (
          <span className="flex gap-2">
            <Decide of={of} decision="reject" />
            <Decide of={of} decision="approve" />
          </span>
        )
      }
    >
      {why}
    </Notice>
  )
}

function Decide({ of, decision }: { readonly of: Deciding; readonly decision: Decision }) {
  const words = useWords(withdrawalWords)
  const refusals: Readonly<Record<string, string>> = {
    forbidden: words.ownRefused,
    destination_not_allowed: words.notListed,
  }
  return (
    <ActionButton
      variant={decision === 'approve' ? 'primary' : 'danger'}
      call={`${decision}${of.kind}` as const}
      id={of.id}
      title={of.titles[decision]}
      lead={of.leads[decision]}
      act={words[decision]}
      isDanger={decision === 'reject'}
      done={of.done[decision]}
      refusal={(error) => {
        const sentence = refusals[codeOf(error) ?? '']
        return sentence && <Notice tone="bad">{sentence}</Notice>
      }}
    >
      {of.facts}
    </ActionButton>
  )
}
