// Which merchant the screens show, and whether it is the live one or the sandbox.
import { useNavigate } from '@tanstack/react-router'
import type { Mode } from '../api/generated.ts'
import { useMembership, useSession, type Membership } from '../api/session.ts'
import { Icon } from '../kit/icons.tsx'
import type { MenuEntry } from '../kit/menu-parts.tsx'
import { Menu } from '../kit/menu.tsx'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/reader.ts'
import { stateWords } from '../words/states.ts'
import { Logo } from './logo.tsx'
import { useIsInConsole } from './nav-links.tsx'

const modes: readonly Mode[] = ['LIVE', 'SANDBOX']

export function Switcher() {
  const words = useWords(frameWords)
  const states = useWords(stateWords)
  const navigate = useNavigate()
  const { merchants, operatorPermissions } = useSession()
  const present = useMembership()
  const go = ({ id }: Membership) => void navigate({ to: `/m/${id}` })
  const entries: MenuEntry[] = modes.flatMap((mode) => {
    const ofMode = merchants.filter((each) => each.mode === mode)
    if (ofMode.length === 0) return []
    return [
      { heading: states.mode[mode] },
      ...ofMode.map((each) => ({
        label: each.name,
        note: states.role[each.role],
        checked: each.id === present?.id,
        onSelect: () => go(each),
      })),
    ]
  })
  const isInConsole = useIsInConsole()
  if (operatorPermissions.length > 0)
    entries.push(
      { heading: words.operatorArea },
      {
        label: words.console,
        icon: 'operator',
        checked: isInConsole,
        onSelect: () => void navigate({ to: '/operator' }),
      },
    )
  const here = isInConsole ? words.console : (present?.name ?? 'Vintem')
  // An operator who is part of no merchant has nothing to switch to.
  if (merchants.length === 0)
    return (
      <div className="flex min-h-11 items-center gap-2.5 px-2 text-15 font-strong">
        <Logo />
        Vintem
      </div>
    )
  return (
    <div className="flex flex-col gap-2">
      <Menu
        align="start"
        label={`${words.switchTo}: ${here}`}
        triggerClass="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 text-left transition-colors duration-150 hover:bg-hover"
        trigger={
          <>
            <Logo />
            <span className="min-w-0 flex-1 truncate text-15 font-strong">{here}</span>
            <Icon name="upDown" className="text-ink-soft" />
          </>
        }
        entries={entries}
      />
      <ModeSwitch merchants={merchants} present={present} onGo={go} />
    </div>
  )
}

/**
 * Goes to the merchant of the same name in the other mode, or to the first merchant of that mode. Hidden when the user has only one mode.
 */
function ModeSwitch({
  merchants,
  present,
  onGo,
}: {
  readonly merchants: readonly Membership[]
  readonly present: Membership | undefined
  readonly onGo: (to: Membership) => void
}) {
  const words = useWords(frameWords)
  const states = useWords(stateWords)
  if (present === undefined || new Set(merchants.map(({ mode }) => mode)).size < 2) return null
  return (
    <div
      role="group"
      aria-label={words.modeSwitch}
      className="grid grid-cols-2 gap-0.5 rounded-control bg-inset p-0.5"
    >
      {modes.map((mode) => {
        const there = merchants.filter((each) => each.mode === mode)
        const twin = there.find(({ name }) => name === present.name) ?? there[0]
        const isHere = present.mode === mode
        return (
          <button
            key={mode}
            type="button"
            aria-pressed={isHere}
            onClick={() => !isHere && twin !== undefined && onGo(twin)}
            className={`min-h-7 rounded-[8px] text-13 transition-colors duration-150 phone:min-h-11 ${isHere ? (mode === 'SANDBOX' ? 'bg-sandbox font-strong text-on-sandbox' : 'bg-raised font-strong shadow-lift') : 'text-ink-soft hover:text-ink'}`}
          >
            {states.mode[mode]}
          </button>
        )
      })}
    </div>
  )
}
