// The steps of a withdrawal: requested, approved where that is needed, sent, arrived. The live feed keeps them current.
import type { Withdrawal } from '../../api/generated.ts'
import { Icon, type IconName } from '../../kit/icons.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

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
