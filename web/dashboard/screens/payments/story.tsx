// What happened to a payment, refund or withdrawal: sentences, webhooks and ledger lines, all from its explanation.
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../api/call.ts'
import { isAccepted } from '../../api/delivery.ts'
import type { Explanation, Step } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Fault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { DeliveryState } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { TimeLine, type Moment } from '../../kit/timeline.tsx'
import { paymentWords } from '../../words/payments.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { lookOf } from './step-looks.ts'

// Loaded when a delivery is opened.
const DeliveryDetail = lazy(async () => ({
  default: (await import('../developers/delivery-detail.tsx')).DeliveryDetail,
}))

const explanations = {
  payments: 'explainPayment',
  refunds: 'explainRefund',
  withdrawals: 'explainWithdrawal',
} as const
type StoryArea = keyof typeof explanations

/** A screen fetches the story together with its record and shows both at once, so that nothing moves afterwards. */
export function useStory(area: StoryArea, recordId: string) {
  const { locale } = useReader()
  const { id } = useMerchant()
  return useInfiniteQuery({
    queryKey: ['m', id, area, 'one', recordId, 'explain', locale],
    queryFn: ({ pageParam, signal }) =>
      call(
        explanations[area],
        { merchant: id, id: recordId, query: { language: locale, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Explanation) => last.nextCursor,
  })
}

/**
 * True until the first answer or the first failure. A query that fails must not hold up the rest of the screen. When it is fetched again,
 * the screen stays as it is, and so does a dialog that is open over it.
 */
export function isComing({
  isPending,
  failureCount,
  errorUpdateCount,
}: {
  readonly isPending: boolean
  readonly failureCount: number
  readonly errorUpdateCount: number
}) {
  return isPending && failureCount + errorUpdateCount === 0
}

/** `only`: the steps of the record that are shown, where they are not all. */
export function RecordStory({
  area,
  recordId,
  only = every,
}: {
  readonly area: StoryArea
  readonly recordId: string
  readonly only?: (step: Step) => boolean
}) {
  const words = useWords(paymentWords)
  const [tab, setTab] = useState('all')
  const story = useStory(area, recordId)
  if (story.data === undefined)
    return story.error === null ? (
      <LoadingLine isOn />
    ) : (
      <Fault error={story.error} onRetry={() => void story.refetch()} />
    )
  const steps = story.data.pages.flatMap((page) => page.steps).filter(only)
  const deliveries = steps.filter((step) => step.kind === 'DELIVERY')
  const ledger = steps.filter((step) => step.kind === 'LEDGER')
  const narrated = steps.filter((step) => step.kind !== 'LEDGER')
  const summary = only === every ? story.data.pages[0]?.summary : undefined
  return (
    <Card title={words.timeline}>
      {summary !== undefined && <p className="mb-3 text-15">{summary}</p>}
      {story.data.pages[0]?.truncated === true && <Notice tone="calm">{words.truncated}</Notice>}
      <Tabs
        label={words.timeline}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'all',
            label: words.all,
            content: <TimeLine label={words.timeline} moments={narrated.map(momentOf)} />,
          },
          {
            value: 'deliveries',
            label: words.deliveries,
            count: deliveries.length,
            content: <Deliveries steps={deliveries} />,
          },
          { value: 'ledger', label: words.ledger, count: ledger.length, content: <Ledger steps={ledger} /> },
        ]}
      />
      {story.hasNextPage && (
        <Button onClick={() => void story.fetchNextPage()} busy={story.isFetching} className="mt-3 w-full">
          {words.moreSteps}
        </Button>
      )}
    </Card>
  )
}

const every = () => true

function momentOf(step: Step, index: number): Moment {
  return {
    key: `${index} ${step.at} ${step.cause}`,
    at: step.at,
    text: step.text,
    ...lookOf(step),
    detail: <StepDetail step={step} />,
  }
}

/** Names that people compare with the bank's or the chain's own. */
function StepDetail({ step }: { readonly step: Step }) {
  const words = useWords(paymentWords)
  if (step.txHash !== undefined) return <Code value={step.txHash} what={words.transaction} />
  if (step.endToEndId !== undefined) return <Code value={step.endToEndId} what={words.endToEnd} />
  if (step.message !== undefined) return <Details>{step.message}</Details>
  return null
}

function Ledger({ steps }: { readonly steps: readonly Step[] }) {
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  if (steps.length === 0) return <p className="text-13 text-ink-soft">{words.noLedger}</p>
  const nameOf = (account: string) => (states.account as Readonly<Record<string, string>>)[account] ?? account
  return (
    <ol className="flex flex-col">
      {steps.map((step, index) => (
        // Steps are only ever added at the end.
        <li key={index} className="border-b border-line py-3 first:pt-0 last:border-0 last:pb-0">
          <div className="flex flex-wrap justify-between gap-x-4 text-13">
            <span>{step.text}</span>
            <Time at={step.at} className="text-ink-soft" />
          </div>
          <table className="mt-1 w-full text-13">
            <thead className="aside">
              <tr>
                <th>{words.account}</th>
                <th>{words.change}</th>
              </tr>
            </thead>
            <tbody>
              {(step.entries ?? []).map((entry, side) => (
                <tr key={side}>
                  <td className="py-0.5 text-ink-soft">{nameOf(entry.account)}</td>
                  <td className="py-0.5 text-right">
                    <Money minor={entry.amount} currency={step.currency ?? ''} signed />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </li>
      ))}
    </ol>
  )
}

// The webhooks of a payment, each with what was sent and what was answered.

type Sent = Step & { readonly delivery: NonNullable<Step['delivery']> }

function Deliveries({ steps }: { readonly steps: readonly Step[] }) {
  const words = useWords(paymentWords)
  const { may } = useMerchant()
  const [shown, setShown] = useState<Sent>()
  const sent = steps.filter((step): step is Sent => step.delivery !== undefined)
  if (sent.length === 0) return <p className="text-13 text-ink-soft">{words.noDeliveries}</p>
  return (
    <>
      <ul className="-mx-2 flex flex-col">
        {sent.map((step) => (
          <li key={step.delivery.id}>
            <button
              type="button"
              disabled={!may('webhooks:read')}
              onClick={() => setShown(step)}
              className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 py-1.5 text-left text-13 hover:bg-hover"
            >
              <DeliveryState
                status={step.delivery.status}
                hasFailed={step.delivery.attempts > 0 && !isAccepted(step.delivery.responseStatus)}
              />
              <span className="min-w-0 flex-1 basis-40">
                <span className="block truncate font-strong">{step.eventType}</span>
                <span className="block truncate text-ink-soft">{step.delivery.url}</span>
              </span>
              <span className="text-ink-soft">{words.attempts(step.delivery.attempts)}</span>
              <Icon name="right" className="text-ink-soft" />
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        place="end"
        title={shown?.eventType ?? ''}
        lead={<span className="break-all">{shown?.delivery.url}</span>}
      >
        {shown !== undefined && (
          <Suspense fallback={<LoadingLine isOn />}>
            <DeliveryDetail id={shown.delivery.id} />
          </Suspense>
        )}
      </Dialog>
    </>
  )
}
