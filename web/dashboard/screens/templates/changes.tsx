// What differs between two contents of a template, field by field.
import { useWords } from '../../words/reader.ts'
import { templateWords } from '../../words/templates.ts'
import { differences, type Shown } from './differences.ts'
import { useDifferenceWords } from './draft.ts'
import type { Draft } from './model.ts'

export function Changes({
  before,
  after,
  labels,
}: {
  readonly before: Draft
  readonly after: Draft
  /** What the two are, where the one did not follow the other. */
  readonly labels?: readonly [before: string, after: string]
}) {
  const words = useWords(templateWords)
  const [was, is] = labels ?? [words.before, words.after]
  const found = differences(before, after, useDifferenceWords())
  if (found.length === 0) return <p className="text-13 text-ink-soft">{words.none}</p>
  return (
    <dl className="flex flex-col">
      {found.map(({ id, label, ...shown }) => (
        <div key={id} className="border-b border-line py-2.5 text-13 last:border-0">
          <dt className="font-strong">{label}</dt>
          <dd className="mt-1 grid grid-cols-2 gap-4">
            <Value shown={shown.before} label={was} isOld />
            <Value shown={shown.after} label={is} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({
  shown,
  label,
  isOld = false,
}: {
  readonly shown: Shown | undefined
  readonly label: string
  readonly isOld?: boolean
}) {
  const words = useWords(templateWords)
  return (
    <div className="min-w-0">
      <span className="block text-ink-soft">{label}</span>
      {shown === undefined ? (
        <span className="text-ink-soft italic">{words.nothing}</span>
      ) : shown.picture !== undefined ? (
        <img
          src={shown.picture}
          alt={shown.text}
          className="mt-1 h-10 max-w-full rounded-small border border-line bg-inset object-contain p-1"
        />
      ) : (
        <span className={`flex items-start gap-2 ${isOld ? 'text-ink-soft' : ''}`}>
          {shown.colour !== undefined && (
            <span
              aria-hidden="true"
              className="mt-0.5 size-4 shrink-0 rounded-small border border-line"
              style={{ background: shown.colour }}
            />
          )}
          <span className="min-w-0 break-words whitespace-pre-line">{shown.text}</span>
        </span>
      )}
    </div>
  )
}
