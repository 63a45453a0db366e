// Light or dark: as the system says, unless this device has a choice of its own.
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'vintem-theme'
const listeners = new Set<() => void>()

/** Sets the document's theme. Call it before the first paint. */
export function applyTheme(): void {
  const theme = themeNow()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(place, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, themeNow)
}

function themeNow(): Theme {
  const kept = localStorage.getItem(place)
  return themes.find((each) => each === kept) ?? 'system'
}
