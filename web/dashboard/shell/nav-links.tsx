// The groups of areas that the role can read, or those of the operator's console.
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { useMembership, useSession } from '../api/session.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/reader.ts'
import { Group, NavLink } from './nav-parts.tsx'
import { useAreaGroups, type Area } from './screen-tables.ts'

const ConsoleLinks = lazy(async () => ({ default: (await import('./console-links.tsx')).ConsoleLinks }))

/** In the console its own entries, elsewhere those of the merchant. */
export function NavLinks() {
  const words = useWords(frameWords)
  const isInConsole = useIsInConsole()
  return (
    <nav aria-label={words.navigation} className="flex min-h-0 flex-1 flex-col overflow-y-auto phone:gap-0.5">
      <Suspense>{isInConsole ? <ConsoleLinks /> : <MerchantLinks />}</Suspense>
    </nav>
  )
}

/** Who is part of no merchant has the console around the pages of the user too. */
export function useIsInConsole(): boolean {
  const { merchants, operatorPermissions } = useSession()
  const last = useRef(false)
  // The way out of a session that has ended changes nothing here: there is no session to read any more.
  const isThere = useLocation({
    select: ({ pathname }) => {
      if (pathname !== '/sign-in') last.current = /^\/operator(?:\/|$)/.test(pathname)
      return last.current
    },
  })
  return operatorPermissions.length > 0 && (merchants.length === 0 || isThere)
}

function MerchantLinks() {
  const words = useWords(frameWords)
  const { merchants } = useSession()
  const membership = useMembership() ?? merchants[0]
  const base = `/m/${membership?.id ?? ''}`
  return useAreaGroups(membership).map(({ heading, entries }) => (
    <Group key={entries[0]?.area} heading={heading && words.groups[heading]}>
      {entries.map(({ area, path }) => (
        <NavLink
          key={area}
          to={path === '' ? base : `${base}/${path}`}
          under={underOf(area, path, base)}
          icon={area}
          label={words.nav[area]}
        />
      ))}
    </Group>
  ))
}

/** The address below which an area is: members have their own among the settings. */
function underOf(area: Area, path: string, base: string): string | undefined {
  if (path === '') return undefined
  return area === 'members' ? `${base}/${path}` : `${base}/${path.split('/')[0]}`
}
