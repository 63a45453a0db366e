// The areas that the role can read, and below them the operator's.
import { Link, useLocation } from '@tanstack/react-router'
import { textIn } from '#/kernel/dictionary.ts'
import { useMembership, useSession } from '../api/session.ts'
import { Icon, type IconName } from '../kit/icons.tsx'
import { frameWords } from '../words/frame.ts'
import { useReader, useWords } from '../words/reader.ts'
import { useAreas, useOperatorScreens } from './screen-tables.ts'

/** By path. */
export const operatorIcons: Readonly<Record<string, IconName>> = {
  '': 'overview',
  merchants: 'shop',
  withdrawals: 'withdrawals',
  refunds: 'refunds',
  freezes: 'dash',
  connections: 'link',
  jobs: 'play',
  suspense: 'lost',
  'bank-files': 'reports',
  'payment-files': 'download',
  chains: 'chain',
  queues: 'queue',
  users: 'user',
  audit: 'book',
}

export function NavLinks() {
  const words = useWords(frameWords)
  const { locale } = useReader()
  const session = useSession()
  const membership = useMembership() ?? session.merchants[0]
  const areas = useAreas(membership?.permissions ?? [])
  const operator = useOperatorScreens().flatMap(({ needs, path, label }) =>
    label !== undefined && session.operatorPermissions.includes(needs) ? [{ path, label }] : [],
  )
  return (
    <nav aria-label={words.navigation} className="flex min-h-0 flex-1 flex-col overflow-y-auto phone:gap-0.5">
      {membership !== undefined &&
        areas.map(({ area, path }) => (
          <NavLink
            key={area}
            to={`/m/${membership.id}${path === '' ? '' : `/${path}`}`}
            under={path === '' ? undefined : `/m/${membership.id}/${path.split('/')[0]}`}
            icon={area}
            label={words.nav[area]}
          />
        ))}
      {operator.length > 0 && (
        <>
          <div className="px-2.5 pt-5 pb-1 text-13 text-ink-soft">{words.operatorArea}</div>
          {operator.map(({ path, label }) => (
            <NavLink
              key={path}
              to={`/operator${path === '' ? '' : `/${path}`}`}
              under={path === '' ? undefined : `/operator/${path}`}
              icon={operatorIcons[path] ?? 'operator'}
              label={textIn(locale, label)}
            />
          ))}
        </>
      )}
    </nav>
  )
}

function NavLink({
  to,
  under,
  icon,
  label,
}: {
  readonly to: string
  /** The address of its area: below it the link is marked too. */
  readonly under: string | undefined
  readonly icon: IconName
  readonly label: string
}) {
  const { pathname } = useLocation()
  const isHere =
    pathname === to ||
    pathname === `${to}/` ||
    (under !== undefined && (pathname === under || pathname.startsWith(`${under}/`)))
  return (
    <Link
      to={to}
      aria-current={isHere ? 'page' : undefined}
      className={`flex min-h-7 items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors duration-150 phone:min-h-11 phone:text-15 ${isHere ? 'bg-hover font-strong text-ink' : 'text-ink-soft hover:bg-hover hover:text-ink'}`}
    >
      <Icon name={icon} className={isHere ? 'text-accent-text' : ''} />
      {label}
    </Link>
  )
}
