// The frame of the developers' area: its tabs and their pages as links. A new page gets a line here and one in the table of screens.
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMerchant } from '../../api/session.ts'
import { LinkPills, LinkTabs } from '../../kit/link-tabs.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { developerWords } from '../../words/developers.ts'
import { useWords } from '../../words/reader.ts'

/** Each tab with its pages, the first of which has the tab's own address. */
const tabs = [
  { tab: 'keys', pages: [{ word: 'keys', path: 'keys', needs: 'keys:read' }] },
  {
    tab: 'webhooks',
    pages: [
      { word: 'addresses', path: 'webhooks', needs: 'webhooks:read' },
      { word: 'deliveries', path: 'webhooks/deliveries', needs: 'webhooks:read' },
      { word: 'recoveries', path: 'webhooks/recoveries', needs: 'webhooks:read' },
    ],
  },
  { tab: 'events', pages: [{ word: 'events', path: 'events', needs: 'webhooks:read' }] },
  {
    tab: 'logs',
    pages: [
      { word: 'requests', path: 'logs', needs: 'requests:read' },
      { word: 'problems', path: 'logs/problems', needs: 'requests:read' },
    ],
  },
  {
    tab: 'test',
    pages: [
      { word: 'rehearsals', path: 'test', needs: 'sandbox' },
      { word: 'clock', path: 'test/clock', needs: 'sandbox' },
    ],
  },
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
  const { id, may } = useMerchant()
  const { pathname } = useLocation()
  const addressOf = (path: string) => `/m/${id}/developers/${path}`
  const shown = tabs.flatMap(({ tab, pages }) => {
    const open = pages
      .filter(({ needs }) => may(needs))
      .map((page) => ({
        to: addressOf(page.path),
        label: words.pages[page.word],
        isHere: pathname.replace(/\/$/, '') === addressOf(page.path),
      }))
    const [first] = open
    if (first === undefined) return []
    return [{ to: first.to, label: words.tabs[tab], isHere: open.some(({ isHere }) => isHere), pages: open }]
  })
  const tabHere = shown.find(({ isHere }) => isHere)
  const here = tabHere?.pages.find(({ isHere }) => isHere)
  return (
    <>
      <PageHeader title={words.title} titleText={here?.label ?? words.title} />
      <LinkTabs label={words.title} tabs={shown} />
      {tabHere !== undefined && tabHere.pages.length > 1 && (
        <LinkPills label={tabHere.label} links={tabHere.pages} />
      )}
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
