// The frame of the developers' area: its pages as links. A new page gets a line here and one in the table of screens.
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMerchant } from '../../api/session.ts'
import { LinkTabs } from '../../kit/link-tabs.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { developerWords } from '../../words/developers.ts'
import { useWords } from '../../words/reader.ts'

const pages = [
  { path: 'keys', needs: 'keys:read' },
  { path: 'webhooks', needs: 'webhooks:read' },
  { path: 'deliveries', needs: 'webhooks:read' },
  { path: 'recoveries', needs: 'webhooks:read' },
  { path: 'events', needs: 'webhooks:read' },
  { path: 'requests', needs: 'requests:read' },
  { path: 'problems', needs: 'requests:read' },
  { path: 'rehearsals', needs: 'sandbox' },
  { path: 'clock', needs: 'sandbox' },
] as const

/** `lead`: what the page is for, in a sentence. */
export function DevelopersFrame({
  lead,
  actions,
  children,
}: {
  readonly lead: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const words = useWords(developerWords)
  const { id, mode, may } = useMerchant()
  const { pathname } = useLocation()
  const addressOf = (path: string) => `/m/${id}/developers/${path}`
  const here = pages.find(({ path }) => pathname === addressOf(path))
  // Rehearsals and the clock are of the sandbox alone.
  const shown = pages.filter(({ needs }) => may(needs) && (needs !== 'sandbox' || mode === 'SANDBOX'))
  return (
    <>
      <PageHeader title={words.title} titleText={here === undefined ? words.title : words.pages[here.path]} />
      <LinkTabs
        label={words.title}
        tabs={shown.map((page) => ({
          to: addressOf(page.path),
          label: words.pages[page.path],
          isHere: page === here,
        }))}
      />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-[66ch] min-w-0 text-13 text-ink-soft">{lead}</p>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </>
  )
}

/** The address of a page of this area. */
export function useDevelopersPath(): (path: string) => string {
  const { id } = useMerchant()
  return (path) => `/m/${id}/developers/${path}`
}
