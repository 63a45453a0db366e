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
