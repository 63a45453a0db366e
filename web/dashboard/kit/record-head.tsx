// The head of a record's page: its title, and its id below it.
import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'
import type { Minor } from './format.ts'
import { Money } from './money.tsx'

/** The title of a record of money: its amount, and its state behind it. `kind`: what it is, for screen readers. */
export function AmountTitle({
  kind,
  amount,
  currency,
  children,
}: {
  readonly kind: string
  readonly amount: Minor
  readonly currency: string
  readonly children: ReactNode
}) {
  return (
    <TitleLine>
      <span className="aside">{kind}</span>
      <Money minor={amount} currency={currency} className="text-28 tracking-tight" />
      {children}
    </TitleLine>
  )
}

/** The title of a record that has a name, and its state behind it. */
export function NameTitle({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <TitleLine>
      <span className="min-w-0 break-words">{name}</span>
      {children}
    </TitleLine>
  )
}

/** A title and what stands behind it. */
export function TitleLine({ children }: { readonly children: ReactNode }) {
  return <span className="flex flex-wrap items-center gap-x-3 gap-y-2">{children}</span>
}

/** The id of a record below its title, with its copy button. `what` names it there. */
export function RecordId({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <span className="flex max-w-full items-center gap-1">
      <span className="min-w-0 truncate font-mono text-13">{value}</span>
      <CopyButton value={value} what={what} />
    </span>
  )
}
