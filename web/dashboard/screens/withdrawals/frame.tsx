// The frame of the lists of withdrawals: single ones, batches and schedules, and of the limits, as links.
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMerchant } from '../../api/session.ts'
import { PageHeader } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

const pages = [
  { path: 'withdrawals', word: 'title' },
  { path: 'withdrawals/batches', word: 'batches' },
  { path: 'withdrawals/schedules', word: 'schedules' },
  { path: 'withdrawals/limits', word: 'limits' },
] as const

export function WithdrawalFrame({
  actions,
  children,
}: {
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const words = useWords(withdrawalWords)
  const { id } = useMerchant()
  const { pathname } = useLocation()
  const here = pages.find(({ path }) => pathname === `/m/${id}/${path}`)
  return (
    <>
      <PageHeader
        title={words.title}
        titleText={here === undefined ? words.title : words[here.word]}
        actions={actions}
      />
      <nav aria-label={words.title} className="mb-6 flex gap-5 overflow-x-auto border-b border-line">
        {pages.map((page) => (
          <Link
            key={page.path}
            to={`/m/${id}/${page.path}`}
            activeOptions={{ exact: true }}
            aria-current={page === here ? 'page' : undefined}
            className={`-mb-px flex min-h-10 items-center border-b-2 text-13 font-strong whitespace-nowrap phone:min-h-11 ${page === here ? 'border-accent' : 'border-transparent text-ink-soft hover:text-ink'}`}
          >
            {words[page.word]}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}
