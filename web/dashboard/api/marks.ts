// Which records have just changed, and how many new ones a list does not show yet.
import { useSyncExternalStore } from 'react'
import { useMerchant } from './session.ts'

/** As long as the animation of `.changed`. */
const shownMs = 2_400

const changed = new Set<string>()
const unseen = new Map<string, Set<string>>()
const listeners = new Set<() => void>()

/** Marks a record for a moment. */
export function markChanged(id: string): void {
  changed.add(id)
  tell()
  setTimeout(() => {
    changed.delete(id)
    tell()
  }, shownMs)
}

/** Counts a record that a list does not show yet. */
export function markNew(list: string, id: string): void {
  unseen.set(list, new Set([...(unseen.get(list) ?? []), id]))
  tell()
}

/** Forgets them, because the list is fetched again. */
function clearNew(list: string): void {
  unseen.delete(list)
  tell()
}

export function useChanged(id: string): boolean {
  return useSyncExternalStore(listen, () => changed.has(id))
}

function useNewCount(list: string): number {
  return useSyncExternalStore(listen, () => unseen.get(list)?.size ?? 0)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

// The new records that a merchant's list does not show yet.

/** How many they are, and what shows them: the list is fetched again by `retry`. */
export function useNews(
  area: string,
  retry: () => void,
): { readonly count: number; readonly show: () => void } {
  const { id } = useMerchant()
  const list = `${id} ${area}`
  const count = useNewCount(list)
  const show = () => {
    clearNew(list)
    retry()
  }
  return { count, show }
}
