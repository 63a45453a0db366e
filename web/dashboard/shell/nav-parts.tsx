// A group of the navigation, and a link in it.
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../kit/icons.tsx'

export function Group({
  heading,
  children,
}: {
  readonly heading: string | undefined
  readonly children: ReactNode
}) {
  return (
    <div role="group" aria-label={heading} className="flex flex-col pt-3 first:pt-0 phone:gap-0.5">
      {heading !== undefined && (
        <div aria-hidden="true" className="px-2.5 pb-1 text-13 text-ink-soft">
          {heading}
        </div>
      )}
      {children}
    </div>
  )
}

export function NavLink({
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
  const isAt = (address: string) => pathname === address || pathname === `${address}/`
  const isHere =
    isAt(to) ||
    (under !== undefined &&
      (isAt(under) || pathname.startsWith(`${under}/`)) &&
      !(under.endsWith('/settings') && isAt(`${under}/members`)))
  return (
    <Link
      to={to}
      activeOptions={{ exact: true }}
      aria-current={isHere ? 'page' : undefined}
      className={`flex min-h-7 items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors duration-150 phone:min-h-11 phone:text-15 ${isHere ? 'bg-hover font-strong text-ink' : 'text-ink-soft hover:bg-hover hover:text-ink'}`}
    >
      <Icon name={icon} className={isHere ? 'text-accent-text' : ''} />
      {label}
    </Link>
  )
}
