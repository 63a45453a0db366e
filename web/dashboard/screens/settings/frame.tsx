// The frame of all settings: their pages as links. A new page gets a line here and a line in the table of screens. A user without a
// merchant has only the user's own pages.
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { mayUse, useMembership } from '../../api/session.ts'
import { LinkTabs } from '../../kit/link-tabs.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'

const pages = [
  { path: '', word: 'profile' },
  { path: '/security', word: 'security' },
  { path: '/notices', word: 'notices', needs: 'payments:read' },
  { path: '/members', word: 'members', needs: 'members:read' },
  { path: '/grants', word: 'grants', needs: 'wallets:read', ofSubAccounts: true },
  { path: '/audit', word: 'audit', needs: 'audit:read' },
] as const

/** `isWide`: for lists; forms are as wide as a line is read. */
export function SettingsFrame({
  children,
  isWide = false,
}: {
  readonly children: ReactNode
  readonly isWide?: boolean
}) {
  const words = useWords(settingsWords)
  const merchant = useMembership()
  const base = merchant === undefined ? '/account' : `/m/${merchant.id}/settings`
  const { pathname } = useLocation()
  const here = pages.find(({ path }) => pathname.replace(/\/$/, '') === `${base}${path}`)
  return (
    <>
      <PageHeader title={words.title} titleText={here === undefined ? words.title : words[here.word]} />
      <LinkTabs
        label={words.title}
        tabs={pages
          .filter(
            (page) =>
              (!('needs' in page) || (merchant !== undefined && mayUse(page.needs, merchant))) &&
              (!('ofSubAccounts' in page) || merchant?.isSubAccount === true),
          )
          .map((page) => ({
            to: `${base}${page.path}`,
            label: words[page.word],
            isHere: page === here,
          }))}
      />
      <div className={`flex flex-col gap-6 phone:gap-4 ${isWide ? '' : 'max-w-170'}`}>{children}</div>
    </>
  )
}
