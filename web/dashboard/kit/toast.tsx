// Short messages about what was done. They are read aloud, stay while the pointer is on them, and never carry the only way to do something.
import { useSyncExternalStore } from 'react'
import { kitWords } from '../words/kit.ts'
import { useWords } from '../words/reader.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icons.tsx'

type Toast = { readonly id: number; readonly text: string; readonly isBad: boolean }

const shownMs = 6_000
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

/** Says what was done. */
export function toast(text: string, { isBad = false }: { readonly isBad?: boolean } = {}): void {
  last += 1
  const id = last
  put([...toasts.slice(-2), { id, text, isBad }])
  setTimeout(() => drop(id), isBad ? 2 * shownMs : shownMs)
}

export function Toasts() {
  const words = useWords(kitWords)
  const shown = useSyncExternalStore(listen, () => toasts)
  return (
    <div
      role="status"
      aria-live="polite"
      className="no-print pointer-events-none fixed right-4 bottom-4 left-4 z-60 flex flex-col items-end gap-2"
    >
      {shown.map(({ id, text, isBad }) => (
        <div
          key={id}
          className="appear pointer-events-auto flex max-w-100 items-center gap-3 rounded-control border border-line bg-card py-2 pr-2 pl-4 text-13 shadow-over"
        >
          <Icon name={isBad ? 'alert' : 'checkCircle'} className={isBad ? 'text-bad' : 'text-good'} />
          <span className="min-w-0">{text}</span>
          <IconButton icon="close" label={words.close} onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}

function drop(id: number): void {
  put(toasts.filter((each) => each.id !== id))
}

function put(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
