// What waits for a person: one line for each kind, which leads to the list of it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMerchant } from '../../api/session.ts'
import type { Minor } from '../../kit/format.ts'
import { Icon, type IconName } from '../../kit/icons.tsx'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import type { Attention, Waiting } from './sums.ts'

type Kind = keyof Attention

type Line = {
  readonly key: Kind
  readonly icon: IconName
  readonly title: string
  /** About the first of them. */
  readonly note: ReactNode
  /** Behind `/m/{merchant}/`. Absent: the merchant's people can do nothing about it. */
  readonly to?: string
}

export function AttentionList({ attention }: { readonly attention: Attention }) {
  const words = useWords(overviewWords)
  const lines = useLines(attention)
  if (lines.length === 0)
    return (
      <p className="-mt-2 flex items-center gap-2 text-13 text-ink-soft">
        <Icon name="checkCircle" className="text-good" />
        {words.attentionNone}
      </p>
    )
  return (
    <Card title={words.attention} flush>
      <ul>
        {lines.map((line) => (
          <li key={line.key} className="border-b border-line last:border-0">
            <AttentionLine line={line} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function AttentionLine({ line: { icon, title, note, to } }: { readonly line: Line }) {
  const { id } = useMerchant()
  const content = (
    <>
      <Icon name={icon} className="text-wait" />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="font-strong">{title}</span>
        <span className="line-clamp-2 min-w-0 wrap-anywhere text-ink-soft">{note}</span>
      </span>
    </>
  )
  const shape = 'flex min-h-12 items-center gap-3 px-4 py-2 text-13'
  if (to === undefined) return <div className={shape}>{content}</div>
  return (
    <Link to={`/m/${id}/${to}`} className={`${shape} -outline-offset-2! hover:bg-hover`}>
      {content}
      <Icon name="right" className="text-ink-soft" />
    </Link>
  )
}

type Say = (count: number, text: string) => string

/** Makes the line of one kind, unless nothing of it waits. `about`: the first of them. */
type LineOf = <Item>(
  waiting: Waiting<Item> | undefined,
  say: Say,
  about: (first: Item) => ReactNode,
  rest: Omit<Line, 'title' | 'note'>,
) => readonly Line[]

function useLineOf(): LineOf {
  const words = useWords(overviewWords)
  const format = useFormat()
  return (waiting, say, about, rest) => {
    const first = waiting?.first[0]
    if (waiting === undefined || first === undefined) return []
    const { count, isMore } = waiting
    const text = format.count(count)
    const note =
      count === 1 ? (
        about(first)
      ) : (
        <>
          {words.first[rest.key]}: {about(first)}
        </>
      )
    return [{ ...rest, title: say(count, isMore ? words.moreThan(text) : text), note }]
  }
}

function useLines(attention: Attention): readonly Line[] {
  return [...useDecisions(attention), ...useIrregularities(attention)]
}

type Sum = { readonly amount: Minor; readonly currency: string }

function sumAndTime({ amount, currency }: Sum, time: ReactNode): ReactNode {
  return (
    <>
      <Money minor={amount} currency={currency} />, {time}
    </>
  )
}

function ago(at: string): ReactNode {
  return <Time at={at} inRow />
}

/** What goes on only when a person decides. */
function useDecisions({ disputes, withdrawals, refunds }: Attention): readonly Line[] {
  const words = useWords(overviewWords)
  const lineOf = useLineOf()
  return [
    ...lineOf(
      disputes,
      words.disputesOpen,
      (first) =>
        sumAndTime(
          first,
          <>
            {first.evidenceDueAt && words.due} {ago(first.evidenceDueAt ?? first.createdAt)}
          </>,
        ),
      { key: 'disputes', icon: 'disputes', to: 'disputes?status=OPEN' },
    ),
    ...lineOf(withdrawals, words.withdrawalsToApprove, (first) => sumAndTime(first, ago(first.createdAt)), {
      key: 'withdrawals',
      icon: 'withdrawals',
      to: 'withdrawals?status=PENDING_APPROVAL',
    }),
    ...lineOf(refunds, words.refundsToApprove, (first) => sumAndTime(first, ago(first.createdAt)), {
      key: 'refunds',
      icon: 'refunds',
      to: 'refunds?status=PENDING',
    }),
  ]
}

/** What did not go as it should. */
function useIrregularities({ underpaid, endpoints, suspended }: Attention): readonly Line[] {
  const words = useWords(overviewWords)
  const format = useFormat()
  const lineOf = useLineOf()
  return [
    ...lineOf(
      underpaid,
      words.underpaid,
      ({ amount, received, currency }) => (
        <span className="figures">
          {words.receivedOf(format.money(received, currency), format.money(amount, currency))}
        </span>
      ),
      { key: 'underpaid', icon: 'half', to: 'payments?exception=UNDERPAID' },
    ),
    ...lineOf(
      endpoints,
      words.endpoints,
      ({ url, since }) => (
        <>
          {url}, {ago(since)}
        </>
      ),
      { key: 'endpoints', icon: 'developers', to: 'developers/webhooks' },
    ),
    ...lineOf(
      suspended,
      words.suspended,
      ({ amount, currency }) => (
        <>
          <Money minor={amount} currency={currency} />. {words.suspendedNote}
        </>
      ),
      { key: 'suspended', icon: 'alert' },
    ),
  ]
}
