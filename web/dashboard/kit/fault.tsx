// What failed: what it means, what to do next, and the request's id for those who help.
import type { ReactNode } from 'react'
import { ProblemError, type ProblemBody } from '../api/problem.ts'
import { problemWords } from '../words/problems.ts'
import { useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { Loading, LoadingLine } from './loading.tsx'
import { Details, lookUp } from './reason.tsx'

/** The sentence for an error, in the reader's language. */
export function useFaultText(): (error: unknown) => string {
  const words = useWords(problemWords)
  return (error) => {
    if (!(error instanceof ProblemError)) return words.unknown
    const { code } = error.problem
    return wholeSentence(words, error.problem) ?? lookUp(words.general, code) ?? words.unknown
  }
}

/** A sentence that says all that there is to say. */
function wholeSentence(
  words: Pick<(typeof problemWords)['en'], 'reasons' | 'codes'>,
  { code, reason }: Pick<ProblemBody, 'code' | 'reason'>,
): string | undefined {
  return (reason === undefined ? undefined : lookUp(words.reasons, reason)) ?? lookUp(words.codes, code)
}

/** The server's own words, which are in English, where our sentence leaves open what exactly is wrong. */
function FaultDetail({ error }: { readonly error: unknown }) {
  const words = useWords(problemWords)
  if (!(error instanceof ProblemError) || wholeSentence(words, error.problem) !== undefined) return null
  return <Details>{error.problem.detail}</Details>
}

/** Below a form, above its button. */
export function FormFault({ error }: { readonly error: unknown }) {
  const textOf = useFaultText()
  if (error === null || error === undefined) return null
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-control bg-bad-tint px-3 py-2.5 text-13 text-bad"
    >
      <Icon name="alert" className="mt-0.5" />
      <div className="min-w-0">
        <p>{textOf(error)}</p>
        <FaultDetail error={error} />
        <RequestId error={error} />
      </div>
    </div>
  )
}

/** In place of a part that could not be loaded. */
export function Fault({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) {
  const words = useWords(problemWords)
  const textOf = useFaultText()
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <span className="mb-1 grid size-11 place-items-center rounded-full bg-bad-tint text-bad">
        <Icon name="alert" size={20} />
      </span>
      <p className="text-15 font-strong">{words.title}</p>
      <p className="max-w-110 text-13 text-ink-soft">{textOf(error)}</p>
      <div className="text-13 text-ink-soft">
        <FaultDetail error={error} />
        <RequestId error={error} />
      </div>
      {onRetry !== undefined && (
        <Button icon="reload" onClick={onRetry} className="mt-3">
          {words.retry}
        </Button>
      )}
    </div>
  )
}

/** In place of a part that is not there yet: it loads, or could not be loaded. */
export function LoadingOrFault({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry: () => void
}) {
  return error === null ? <Loading /> : <Fault error={error} onRetry={onRetry} />
}

/** A read as far as it has come. */
export type Reading<Of> = {
  readonly data: Of | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** What was read, once it is there. `isPart`: a line at its place says that it loads, and not one at the top of the window. */
export function Loaded<Of>({
  of: { data, error, refetch },
  isPart = false,
  children,
}: {
  readonly of: Reading<Of>
  readonly isPart?: boolean
  readonly children: (data: Of) => ReactNode
}) {
  if (data === undefined && isPart && error === null) return <LoadingLine isOn />
  if (data === undefined) return <LoadingOrFault error={error} onRetry={() => void refetch()} />
  return children(data)
}

function RequestId({ error }: { readonly error: unknown }) {
  const words = useWords(problemWords)
  if (!(error instanceof ProblemError) || error.problem.requestId === undefined) return null
  return (
    <p className="mt-0.5 opacity-80">
      {words.request} <span className="font-mono break-all select-all">{error.problem.requestId}</span>
    </p>
  )
}
