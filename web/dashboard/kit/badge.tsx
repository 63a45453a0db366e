// A state: an icon and words, and a colour that adds nothing to them.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

export type Tone = 'good' | 'wait' | 'bad' | 'calm' | 'accent'

const tones: Readonly<Record<Tone, string>> = {
  good: 'bg-good-tint text-good',
  wait: 'bg-wait-tint text-wait',
  bad: 'bg-bad-tint text-bad',
  calm: 'bg-inset text-ink-soft',
  accent: 'bg-accent-tint text-accent-text',
}

const icons: Readonly<Record<Tone, IconName>> = {
  good: 'checkCircle',
  wait: 'clock',
  bad: 'cross',
  calm: 'dash',
  accent: 'alert',
}

export function Badge({
  tone,
  icon,
  children,
}: {
  readonly tone: Tone
  readonly icon?: IconName
  readonly children: ReactNode
}) {
  return (
    <span
      className={`inline-flex min-h-6 items-center gap-1 rounded-small py-0.5 pr-2 pl-1.5 text-13 font-normal tracking-normal whitespace-nowrap ${tones[tone]}`}
    >
      <Icon name={icon ?? icons[tone]} size={14} />
      {/* A browser's translator puts its own text in place of ours, so a new text comes in a new element. */}
      {typeof children === 'string' ? <span key={children}>{children}</span> : children}
    </span>
  )
}
