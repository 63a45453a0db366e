// The frame of all screens behind the sign-in: navigation at the side, the sandbox's banner above, the palette and the step-up dialog on call.
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useMembership } from '../api/session.ts'
import { IconButton } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icons.tsx'
import { Loading } from '../kit/loading.tsx'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/reader.ts'
import { AccountMenu } from './account-menu.tsx'
import { Logo } from './logo.tsx'
import { NavLinks } from './nav-links.tsx'
import { StepUp } from './step-up.tsx'
import { Switcher } from './switcher.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function Shell() {
  const words = useWords(frameWords)
  const membership = useMembership()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteKey(() => setPaletteOpen((isOpen) => !isOpen))
  const openPalette = () => setPaletteOpen(true)
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="aside focus:[clip-path:none] focus:z-60 focus:size-auto! focus:bg-card focus:p-3"
      >
        {words.skip}
      </a>
      {membership?.mode === 'SANDBOX' && <SandboxBanner />}
      <div className="flex min-w-0 flex-1">
        <aside
          aria-label={words.navigation}
          className="no-print sticky top-0 flex h-dvh w-60 shrink-0 flex-col border-r border-line p-3 phone:hidden"
        >
          <Switcher />
          <SearchButton onClick={openPalette} />
          <NavLinks />
          <AccountMenu />
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <PhoneBar onSearch={openPalette} />
          <main id="content" className="mx-auto w-full max-w-290 flex-1 px-8 py-8 phone:px-4 phone:py-5">
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
      {isPaletteOpen && (
        <Suspense fallback={<Loading />}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      <StepUp />
    </div>
  )
}

/**
 * Above everything, on every screen, in a colour of its own. It takes no room from the page, so nothing moves when a person goes to the
 * console or to a live merchant, where it is not.
 */
function SandboxBanner() {
  const words = useWords(frameWords)
  return (
    <section
      aria-label={words.modeSwitch}
      className="no-print pointer-events-none fixed inset-x-0 top-0 z-31 flex justify-center border-t-4 border-sandbox phone:justify-end phone:pr-14"
    >
      <p className="flex min-h-6 items-center gap-2 rounded-b-control bg-sandbox px-4 pb-1 text-13 font-strong text-on-sandbox phone:mt-1.5 phone:min-h-9 phone:max-w-[calc(100vw-160px)] phone:rounded-control phone:px-3 phone:py-0.5 phone:leading-4">
        <Icon name="alert" className="phone:hidden" />
        {words.sandbox}
      </p>
    </section>
  )
}

function SearchButton({ onClick }: { readonly onClick: () => void }) {
  const words = useWords(frameWords)
  return (
    <button
      type="button"
      onClick={onClick}
      aria-keyshortcuts="Meta+K Control+K"
      className="mt-2 mb-3 flex min-h-9 items-center gap-2 rounded-control border border-line bg-card px-2.5 text-13 text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink"
    >
      <Icon name="search" />
      <span className="flex-1 text-left">{words.search}</span>
      <kbd className="font-sans text-13">{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}

function PhoneBar({ onSearch }: { readonly onSearch: () => void }) {
  const words = useWords(frameWords)
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  // The sheet has done its work when the address changes.
  useEffect(() => setOpen(false), [pathname])
  return (
    <header className="no-print sticky top-0 z-30 hidden h-14 items-center gap-1 border-b border-line bg-paper px-2 phone:flex">
      <IconButton icon="menu" label={words.open} onClick={() => setOpen(true)} />
      <Link to="/" aria-label="Vintem" className="mr-auto px-1">
        <Logo />
      </Link>
      <IconButton icon="search" label={words.search} onClick={onSearch} />
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.navigation} place="start">
        <div className="flex min-h-0 flex-1 flex-col p-3">
          <Switcher />
          <div className="h-3" />
          <NavLinks />
          <AccountMenu />
        </div>
      </Dialog>
    </header>
  )
}

function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.metaKey || event.ctrlKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      toggle()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
