// How long evidence can still be sent, in words: days, and hours on the last one.
import type { Dispute } from '../../api/generated.ts'
import { Icon } from '../../kit/icons.tsx'
import { disputeWords } from '../../words/disputes.ts'
import { useReader, useWords } from '../../words/reader.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** From so little time on it is marked. */
const urgentMs = 3 * dayMs

/** The sentence; undefined when nothing is due. */
export function useDue({ status, evidenceDueAt }: Pick<Dispute, 'status' | 'evidenceDueAt'>):
  | {
      readonly text: string
      readonly isUrgent: boolean
    }
  | undefined {
  const words = useWords(disputeWords)
  const { locale } = useReader()
  if (status !== 'OPEN' || evidenceDueAt === undefined) return undefined
  const left = new Date(evidenceDueAt).getTime() - Date.now()
  if (left <= 0) return { text: words.dueOver, isUrgent: true }
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const when =
    left < dayMs
      ? relative.format(Math.max(1, Math.floor(left / hourMs)), 'hour')
      : relative.format(Math.floor(left / dayMs), 'day')
  return { text: words.dueIn(when), isUrgent: left < urgentMs }
}

export function Due({ dispute }: { readonly dispute: Dispute }) {
  const due = useDue(dispute)
  if (due === undefined) return null
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap ${due.isUrgent ? 'font-strong text-bad' : 'text-wait'}`}
    >
      <Icon name="clock" size={14} />
      {due.text}
    </span>
  )
}
