// What happened, in order: a sentence for each step, its instant, and what hangs on it.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { Time } from './time.tsx'

export type Moment = {
  readonly key: string
  readonly at: string
  readonly text: ReactNode
  readonly icon: IconName
  readonly tone?: 'good' | 'wait' | 'bad' | 'calm'
  readonly detail?: ReactNode
}

const tones = {
  good: 'bg-good-tint text-good',
  wait: 'bg-wait-tint text-wait',
  bad: 'bg-bad-tint text-bad',
  calm: 'bg-inset text-ink-soft',
} as const

export function TimeLine({
  moments,
  label,
}: {
  readonly moments: readonly Moment[]
  readonly label: string
}) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {moments.map(({ key, at, text, icon, tone = 'calm', detail }) => (
        <li key={key} className="group relative flex gap-3 pb-4 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-7 bottom-0 left-3 w-px bg-line group-last:hidden"
          />
          <span className={`mt-px grid size-6 shrink-0 place-items-center rounded-full ${tones[tone]}`}>
            <Icon name={icon} size={14} />
          </span>
          <div className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
            <div className="min-w-0 flex-1 basis-60">
              <p className="pt-0.5 text-13 break-words">{text}</p>
              {detail}
            </div>
            <Time at={at} className="pt-0.5 text-13 text-ink-soft" />
          </div>
        </li>
      ))}
    </ol>
  )
}
