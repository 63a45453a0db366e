// The frame of the pages before the sign-in: the mark, one card, one thing to do.
import { useEffect, type ReactNode } from 'react'
import { Logo } from '../../shell/logo.tsx'

export function DoorFrame({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Vintem`
  }, [title])
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-96">
        <div className="mb-6 flex items-center gap-2.5">
          <Logo size={32} />
          <span className="text-20 font-strong tracking-tight">Vintem</span>
        </div>
        <div className="rounded-card border border-line bg-card p-6 shadow-lift phone:p-4">
          <h1 className="text-20 font-strong">{title}</h1>
          {lead !== undefined && <div className="mt-1 text-13 text-ink-soft">{lead}</div>}
          <div className="mt-5">{children}</div>
        </div>
      </div>
    </main>
  )
}
