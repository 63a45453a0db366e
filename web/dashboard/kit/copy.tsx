// Copies the value that a machine reads, and says so.
import { useState } from 'react'
import { kitWords } from '../words/kit.ts'
import { useWords } from '../words/reader.ts'
import { buttonClass } from './button.tsx'
import { Icon } from './icons.tsx'
import { toast } from './toast.tsx'

const shownMs = 2_000

function useCopied(value: string): readonly [boolean, () => void] {
  const words = useWords(kitWords)
  const [isCopied, setCopied] = useState(false)
  // The browser may refuse it, and has no clipboard for a page over plain http.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      toast(words.copyFailed)
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), shownMs)
  }
  return [isCopied, () => void copy()]
}

/** A small button beside a value. `what` names the value: "Copy payment id". On a phone it is larger than its line and does not make it higher. */
export function CopyButton({ value, what }: { readonly value: string; readonly what: string }) {
  const words = useWords(kitWords)
  const [isCopied, copy] = useCopied(value)
  const label = isCopied ? words.copied : words.copyOf(what)
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={label}
      title={label}
      className={`relative inline-grid size-7 shrink-0 place-items-center rounded-small transition-colors duration-150 hover:bg-hover phone:-my-2 phone:size-11 ${isCopied ? 'text-good' : 'text-ink-soft hover:text-ink'}`}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      <span role="status" className="aside">
        {isCopied ? words.copied : ''}
      </span>
    </button>
  )
}

/** A button with words. */
export function CopyAction({
  value,
  label,
  variant = 'plain',
}: {
  readonly value: string
  readonly label: string
  readonly variant?: 'plain' | 'primary'
}) {
  const words = useWords(kitWords)
  const [isCopied, copy] = useCopied(value)
  return (
    <button type="button" onClick={copy} className={buttonClass(variant)}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span aria-live="polite">{isCopied ? words.copied : label}</span>
    </button>
  )
}

/** An id, address or code: cut in the middle where it is long, with its copy button. */
export function Code({
  value,
  what,
  keep = 10,
}: {
  readonly value: string
  readonly what: string
  readonly keep?: number
}) {
  const short = value.length > 2 * keep + 2 ? `${value.slice(0, keep)}…${value.slice(-keep + 2)}` : value
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="truncate font-mono text-13" title={value}>
        {short}
      </span>
      <CopyButton value={value} what={what} />
    </span>
  )
}

// Text for machines: as it is, scrolled inside its own box, with a copy button.

/** `isCommand`: it is read as a whole before it is typed, so its lines are folded instead of scrolled. */
export function CodeBlock({
  code,
  label,
  isCommand = false,
}: {
  readonly code: string
  readonly label: string
  readonly isCommand?: boolean
}) {
  return (
    <figure className="relative min-w-0 rounded-control border border-line bg-code">
      <figcaption className="flex min-h-9 items-center justify-between border-b border-line pr-1 pl-3 text-13 text-ink-soft">
        {label}
        <CopyButton value={code} what={label} />
      </figcaption>
      {/* Scrollable regions have to be reached by the keyboard. */}
      <pre
        tabIndex={0}
        className={`max-h-90 overflow-auto rounded-b-control bg-code p-3 font-mono text-13 ${isCommand ? 'whitespace-pre-wrap wrap-anywhere' : 'whitespace-pre'}`}
      >
        {code}
      </pre>
    </figure>
  )
}

/** JSON with two spaces; other texts as they are. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
