// Work of unknown length: one line, and words for screen readers. No grey pictures of content that is not there.
import { kitWords } from '../words/kit.ts'
import { useWords } from '../words/reader.ts'

/** At the top of the window, while a page or a part of it loads. */
export function Loading() {
  return (
    <div className="fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
      <Line />
    </div>
  )
}

/** At the top of a card, while what it shows is fetched again. It takes no room. */
export function LoadingLine({ isOn }: { readonly isOn: boolean }) {
  return (
    <div className="relative h-0">
      {isOn && (
        <div className="absolute inset-x-0 -top-px h-0.5 overflow-hidden">
          <Line />
        </div>
      )}
    </div>
  )
}

function Line() {
  const words = useWords(kitWords)
  return (
    <div role="status" className="h-full">
      <div className="loading-line h-full w-1/4 rounded-full bg-accent" />
      <span className="aside">{words.loading}</span>
    </div>
  )
}

/** How far long work is. The number stands in words beside it. */
export function Progress({
  value,
  max,
  label,
}: {
  readonly value: number
  readonly max: number
  readonly label: string
}) {
  const share = max <= 0 ? 1 : Math.min(1, value / max)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-1.5 overflow-hidden rounded-full bg-inset"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-200 ease-out"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
