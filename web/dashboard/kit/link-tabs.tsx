// The pages of an area as links that look like tabs. Many of them do not fit on a phone: there a menu leads to them.
import { Link, useNavigate } from '@tanstack/react-router'
import { Icon } from './icons.tsx'
import { Menu } from './menu.tsx'

export type LinkTab = { readonly to: string; readonly label: string; readonly isHere: boolean }

/** As many fit beside each other at 320 px. */
const fewMax = 3

export function LinkTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  const isMany = tabs.length > fewMax
  return (
    <nav aria-label={label} className="mb-6 phone:mb-4">
      <div className={`flex gap-5 border-b border-line ${isMany ? 'phone:hidden' : ''}`}>
        {tabs.map(({ to, label: name, isHere }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true }}
            aria-current={isHere ? 'page' : undefined}
            className={`-mb-px flex min-h-10 items-center border-b-2 text-13 font-strong whitespace-nowrap phone:min-h-11 ${isHere ? 'border-accent' : 'border-transparent text-ink-soft hover:text-ink'}`}
          >
            {name}
          </Link>
        ))}
      </div>
      {isMany && <PhoneMenu label={label} tabs={tabs} />}
    </nav>
  )
}

function PhoneMenu({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  const navigate = useNavigate()
  const here = tabs.find(({ isHere }) => isHere)?.label ?? label
  return (
    <div className="hidden phone:block">
      <Menu
        align="start"
        label={`${here}: ${label}`}
        triggerClass="flex min-h-11 w-full items-center justify-between gap-2 rounded-control border border-line bg-card px-3 text-left text-15 font-strong"
        trigger={
          <>
            {here}
            <Icon name="upDown" className="text-ink-soft" />
          </>
        }
        entries={tabs.map(({ to, label: name, isHere }) => ({
          label: name,
          checked: isHere,
          onSelect: () => void navigate({ to }),
        }))}
      />
    </div>
  )
}

/** The few pages of one tab, below the tabs. */
export function LinkPills({ label, links }: { readonly label: string; readonly links: readonly LinkTab[] }) {
  return (
    <nav aria-label={label} className="mb-4 flex flex-wrap gap-1">
      {links.map(({ to, label: name, isHere }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          aria-current={isHere ? 'page' : undefined}
          className={`flex min-h-8 items-center rounded-control px-3 text-13 transition-colors duration-150 phone:min-h-11 ${isHere ? 'bg-hover font-strong text-ink' : 'text-ink-soft hover:bg-hover hover:text-ink'}`}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
