// The frame of a screen: its header, its cards, its notices.
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { Icon } from './icons.tsx'

/** The title of a screen, with what can be done there. Also the title of the window. */
export function PageHeader({
  title,
  titleText,
  back,
  lead,
  actions,
}: {
  readonly title: ReactNode
  /** Where the title is more than a text: the title of the window. */
  readonly titleText?: string
  readonly back?: { readonly to: string; readonly label: string }
  readonly lead?: ReactNode
  readonly actions?: ReactNode
}) {
  const name = titleText ?? (typeof title === 'string' ? title : '')
  useEffect(() => {
    document.title = `${name} · Vintem`
  }, [name])
  return (
    <header className="mb-6 flex flex-col gap-3 phone:mb-4">
      {back !== undefined && (
        <Link
          to={back.to}
          className="-ml-1 inline-flex min-h-6 items-center gap-1 self-start rounded-small pr-1 text-13 text-ink-soft hover:text-ink phone:min-h-11"
        >
          <Icon name="left" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {/* As high as the buttons beside it, so that they stand on one line. */}
          <h1
            tabIndex={-1}
            className={`text-20 font-strong outline-none ${actions === undefined ? '' : 'min-h-9 py-1 phone:min-h-11 phone:py-2'}`}
          >
            {title}
          </h1>
          {lead !== undefined && <div className="mt-1 text-13 text-ink-soft">{lead}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  )
}

/** A part of a screen. `flush`: its content reaches the edges, as tables do. */
export function Card({
  title,
  action,
  flush = false,
  children,
}: {
  readonly title?: string
  readonly action?: ReactNode
  readonly flush?: boolean
  readonly children: ReactNode
}) {
  return (
    <section aria-label={title} className="min-w-0 rounded-card border border-line bg-card">
      {title !== undefined && (
        <header
          className={`flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-1.5 ${flush ? 'border-b border-line' : 'pt-1'}`}
        >
          <h2 className="py-1.5 text-15 font-strong">{title}</h2>
          {action}
        </header>
      )}
      <div className={flush ? '' : `px-4 pb-4 ${title === undefined ? 'pt-4' : 'pt-1'}`}>{children}</div>
    </section>
  )
}

/** What a screen says before it shows its list: one line, with what can be done about it. */
export function Notice({
  tone = 'wait',
  children,
  action,
}: {
  readonly tone?: 'wait' | 'bad' | 'calm'
  readonly children: ReactNode
  readonly action?: ReactNode
}) {
  const tones = {
    wait: 'bg-wait-tint text-wait',
    bad: 'bg-bad-tint text-bad',
    calm: 'bg-inset text-ink-soft',
  }
  return (
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control px-4 py-2.5 text-13 ${tones[tone]}`}
    >
      <div className="flex min-w-0 flex-1 basis-60 items-center gap-3">
        <Icon name="alert" />
        <div className="min-w-0 flex-1">{children}</div>
      </div>
      {action}
    </div>
  )
}
