// Facts of a record: names and values. What has no value is left out.
import type { ReactElement, ReactNode } from 'react'
import { Code } from './copy.tsx'
import type { Minor } from './format.ts'
import { Money } from './money.tsx'
import { Card } from './page.tsx'
import { Time } from './time.tsx'

export type Fact = readonly [name: string, value: ReactNode]

/** An instant. */
export function timeOf(at: string | undefined): ReactElement | undefined {
  return at === undefined ? undefined : <Time at={at} />
}

/** An id, address or code, called `what`. */
export function codeOf(value: string | undefined, what: string, keep = 10): ReactElement | undefined {
  return value === undefined ? undefined : <Code value={value} what={what} keep={keep} />
}

/** How amounts of a currency are written: strong where they are a sum. */
export function sumsIn(currency: string) {
  return (minor: Minor | undefined, isStrong = false): ReactElement | undefined => {
    if (minor === undefined) return undefined
    const sum = <Money minor={minor} currency={currency} />
    return isStrong ? <strong>{sum}</strong> : sum
  }
}

/** `isWide`: side by side where there is room. */
export function Definitions({
  items,
  isWide = false,
}: {
  readonly items: readonly (Fact | false | undefined)[]
  readonly isWide?: boolean
}) {
  return (
    <dl
      className={isWide ? 'flex flex-col sm:flex-row sm:flex-wrap sm:gap-x-12 sm:gap-y-2' : 'flex flex-col'}
    >
      {items.map((item) => {
        if (item === false || item === undefined || item[1] === undefined) return null
        const [name, value] = item
        return (
          <div
            key={name}
            className={`flex min-h-9 flex-wrap justify-between gap-x-4 py-1 text-13 phone:min-h-10 ${isWide ? 'items-center sm:max-w-full sm:flex-col sm:items-start sm:justify-start' : 'items-center'}`}
          >
            <dt className="text-ink-soft">{name}</dt>
            <dd
              className={`max-w-full min-w-0 break-words [&>span>button:last-child]:-mr-1.5 ${isWide ? 'text-right sm:text-left' : 'text-right'}`}
            >
              {value}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The facts on which somebody decides, inside a dialog or a form. */
export function InsetFacts({ items }: { readonly items: readonly (Fact | false | undefined)[] }) {
  return (
    <div className="rounded-control bg-inset px-3 py-1">
      <Definitions items={items} />
    </div>
  )
}

/** The fields of a record that its merchant wrote. */
export function MetadataCard({
  title,
  metadata = {},
  show,
}: {
  readonly title: string
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly show: (value: string, name: string) => ReactNode
}) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Card title={title}>
      <Definitions
        items={entries.map(([name, value]): Fact => [
          name,
          show(typeof value === 'string' ? value : JSON.stringify(value), name),
        ])}
      />
    </Card>
  )
}
