// What screens of the console share.
import type { ReactNode } from 'react'
import { fill } from '#/kernel/dictionary.ts'
import type { HaltReason } from '../../api/generated.ts'
import { Badge } from '../../kit/badge.tsx'
import { CodeBlock } from '../../kit/copy.tsx'
import { Fault } from '../../kit/fault.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Details } from '../../kit/reason.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorCommandWords } from '../../words/operator-commands.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'

export function ModeBadge({ mode }: { readonly mode: string }) {
  const words = useWords(operatorWords)
  const isLive = mode === 'LIVE'
  return (
    <Badge tone={isLive ? 'accent' : 'calm'} icon={isLive ? 'payments' : 'play'}>
      {isLive ? words.modes.LIVE : words.modes.SANDBOX}
    </Badge>
  )
}

/** The name of a method of payment, of payout, or of a fee; a newer one as the server writes it. */
export function useMethodName(): (method: string) => string {
  const { methods } = useWords(operatorWords)
  return (method) => (methods as Readonly<Record<string, string>>)[method] ?? method
}

/** A part whose content comes by a query of its own: work under way, the failure with a way out, or the content. */
export function Part<T>({
  query,
  children,
}: {
  readonly query: {
    readonly data: T | undefined
    readonly error: unknown
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  readonly children: (data: T) => ReactNode
}) {
  const { data, error, isFetching, refetch } = query
  if (data === undefined && error !== null) return <Fault error={error} onRetry={() => void refetch()} />
  return (
    <>
      <LoadingLine isOn={isFetching && data === undefined} />
      {data === undefined ? <div className="min-h-16" /> : children(data)}
    </>
  )
}

/** A line of a card's list. */
export function Line({ children }: { readonly children: ReactNode }) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-13 last:border-0">
      {children}
    </li>
  )
}

/** A box of a form with its words. */
export function CheckLine({
  label,
  isOn,
  onSwitch,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
}) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-13">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={isOn}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      {label}
    </label>
  )
}

/** What a card says when it has no lines. */
export function NothingHere({ children }: { readonly children: ReactNode }) {
  return <p className="px-4 py-6 text-13 text-ink-soft">{children}</p>
}

// What only a command may do: why, and the command to copy. docs/console.md has the whole table.

export type CommandReason = keyof (typeof operatorCommandWords)['en']['whys']

export function OnlyCommand({
  why,
  commands,
}: {
  readonly why: CommandReason
  /** Behind `./vintem`. */
  readonly commands: readonly string[]
}) {
  const words = useWords(operatorCommandWords)
  return (
    <div className="flex min-w-0 flex-col gap-2 text-13">
      <p className="max-w-[66ch] text-ink-soft">{words.whys[why]}</p>
      <CodeBlock
        isCommand
        label={words.command}
        code={commands.map((each) => `./vintem ${each}`).join('\n')}
      />
    </div>
  )
}

/** Why a chain is halted or a wallet stopped: a sentence, and below it the text that was stored. */
export function HaltText({
  reason,
  text,
}: {
  readonly reason: HaltReason | undefined
  readonly text: string | undefined
}) {
  const { halts, haltUnknown } = useWords(operatorChainWords)
  const sentences: Readonly<Record<string, string>> = halts
  const sentence =
    reason !== undefined && Object.hasOwn(sentences, reason.key) ? sentences[reason.key] : undefined
  return (
    <>
      {sentence === undefined ? haltUnknown : fill(sentence, reason?.values ?? {})}
      <Details>{text}</Details>
    </>
  )
}
