// The frame of all settings: their pages as links. A new page gets a line here and one in the table of screens.
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMerchant } from '../../api/session.ts'
import { LinkTabs } from '../../kit/link-tabs.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { settingsWords } from '../../words/settings.ts'
import { useWords } from '../../words/reader.ts'

const pages = [
  { path: 'settings', word: 'profile' },
  { path: 'settings/security', word: 'security' },
  { path: 'settings/notices', word: 'notices', needs: 'payments:read' },
  { path: 'settings/members', word: 'members', needs: 'members:read' },
  { path: 'settings/grants', word: 'grants', needs: 'wallets:read', ofSubAccounts: true },
  { path: 'settings/audit', word: 'audit', needs: 'audit:read' },
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
  const { id, may, isSubAccount } = useMerchant()
  const { pathname } = useLocation()
  const here = pages.find(({ path }) => pathname === `/m/${id}/${path}`)
  return (
    <>
      <PageHeader title={words.title} titleText={here === undefined ? words.title : words[here.word]} />
      <LinkTabs
        label={words.title}
        tabs={pages
          .filter(
            (page) => (!('needs' in page) || may(page.needs)) && (!('ofSubAccounts' in page) || isSubAccount),
          )
          .map((page) => ({
            to: `/m/${id}/${page.path}`,
            label: words[page.word],
            isHere: page === here,
          }))}
      />
      <div className={`flex flex-col gap-6 phone:gap-4 ${isWide ? '' : 'max-w-170'}`}>{children}</div>
    </>
  )
}
