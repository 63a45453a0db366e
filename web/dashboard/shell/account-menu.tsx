// The user: profile, security, appearance, and the way out.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/client.ts'
import { sessionQuery, useMembership, useUserPages, useSession } from '../api/session.ts'
import { useFaultText } from '../kit/fault.tsx'
import { Icon } from '../kit/icons.tsx'
import type { MenuEntry } from '../kit/menu-parts.tsx'
import { Menu } from '../kit/menu.tsx'
import { toast } from '../kit/toast.tsx'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/reader.ts'
import { stateWords } from '../words/states.ts'
import { setTheme, themes, useTheme } from './theme.ts'

const icons = { system: 'device', light: 'sun', dark: 'moon' } as const

export function AccountMenu() {
  const words = useWords(frameWords)
  const states = useWords(stateWords)
  const { user } = useSession()
  const membership = useMembership()
  const navigate = useNavigate()
  const theme = useTheme()
  const leave = useSignOut()
  const userPages = useUserPages()
  const entries: MenuEntry[] = [
    { heading: user.email },
    { label: words.profile, icon: 'user', onSelect: () => void navigate({ to: userPages.profile }) },
    { label: words.security, icon: 'shield', onSelect: () => void navigate({ to: userPages.security }) },
    'line',
    { heading: words.theme },
    ...themes.map((each) => ({
      label: words[each],
      icon: icons[each],
      checked: theme === each,
      onSelect: () => setTheme(each),
    })),
    'line',
    { label: words.signOut, icon: 'signOut', onSelect: () => void leave() },
  ]
  const name = user.name === '' ? user.email : user.name
  const role =
    membership === undefined ? (user.isOperator ? words.operatorArea : '') : states.role[membership.role]
  return (
    <div className="mt-2 border-t border-line pt-2">
      <Menu
        align="start"
        triggerClass="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 text-left transition-colors duration-150 hover:bg-hover"
        trigger={
          <>
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-tint text-13 font-strong text-accent-text"
            >
              {Array.from(name)[0]?.toUpperCase()}
            </span>
            <span className="aside">{words.account}:</span>
            <span className="min-w-0 flex-1 text-13">
              <span className="block truncate font-strong">{name}</span>
              {role !== '' && <span className="block truncate text-ink-soft">{role}</span>}
            </span>
            <Icon name="upDown" className="text-ink-soft" />
          </>
        }
        entries={entries}
      />
    </div>
  )
}

function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const textOf = useFaultText()
  return async () => {
    try {
      await signOut(() => navigate({ to: '/sign-in' }))
    } catch (error) {
      toast(textOf(error), { isBad: true })
      return
    }
    // Drafts of forms, which may name a payer.
    sessionStorage.clear()
    client.clear()
    client.setQueryData(sessionQuery.queryKey, null)
  }
}
