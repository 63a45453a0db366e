// Text for machines: as it is, scrolled inside its own box, with a copy button.
import { CopyButton } from './copy.tsx'

export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <figure className="relative min-w-0 rounded-control border border-line bg-code">
      <figcaption className="flex min-h-9 items-center justify-between border-b border-line pr-1 pl-3 text-13 text-ink-soft">
        {label}
        <CopyButton value={code} what={label} />
      </figcaption>
      {/* Scrollable regions have to be reached by the keyboard. */}
      <pre
        tabIndex={0}
        className="max-h-90 overflow-auto rounded-b-control bg-code p-3 font-mono text-13 whitespace-pre"
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
