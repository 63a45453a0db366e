// The review of a withdrawal before it is requested.
import { type Act } from '../../api/act.ts'
import { codeOf, ProblemError } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { InsetFacts, sumsIn } from '../../kit/facts.tsx'
import { Fault, FormFault } from '../../kit/fault.tsx'
import type { Minor } from '../../kit/format.ts'
import { LoadingLine } from '../../kit/loading.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { Limits, overOf, type OverLimit } from './limits-page.tsx'
import type { Order } from './order-form.tsx'
import { destinationText } from './state.tsx'

export function Review({
  order,
  act,
  onBack,
  onRequest,
}: {
  readonly order: Order
  readonly act: Act
  readonly onBack: () => void
  readonly onRequest: () => void
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const { destination, wallet, minor } = order
  const { currency } = wallet
  const query = { type: destination.type, currency, amount: String(minor) }
  const { data: terms, error, refetch } = useRead('getWithdrawalTerms', { query, of: ['wallets', 'terms'] })
  if (terms === undefined)
    return error === null ? <LoadingLine isOn /> : <Fault error={error} onRetry={() => void refetch()} />
  const total = minor + BigInt(terms.fee)
  const remains = BigInt(wallet.balance) - total
  const over = terms.limit === undefined ? undefined : overOf(terms.limit, minor)
  return (
    <Card title={words.reviewTitle}>
      <div className="flex flex-col gap-4">
        <Receives order={order} />
        <Sums order={order} fee={terms.fee} total={total} remains={remains} />
        {terms.limit !== undefined && <Limits limit={terms.limit} currency={currency} />}
        <Outlook remains={remains} over={over} currency={currency} needsApproval={terms.needsApproval} />
        <Refusal error={act.error} />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onBack}>{words.back}</Button>
          <Button
            variant="primary"
            busy={act.isBusy}
            disabled={remains < 0n || over !== undefined}
            onClick={onRequest}
          >
            {words.createDo(format.money(minor, currency))}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** How much arrives, and where: the two things that cannot be undone, so they come first and large. */
function Receives({ order: { destination, wallet, minor } }: { readonly order: Order }) {
  const words = useWords(withdrawalWords)
  const { type, pixKeyType, beneficiary } = destination
  const kind = beneficiary ?? (pixKeyType === undefined ? words.types[type] : words.keyTypes[pixKeyType])
  return (
    <div>
      <p className="text-13 text-ink-soft">{words.receives}</p>
      <Money
        minor={minor}
        currency={wallet.currency}
        className="text-40 font-strong tracking-tight phone:text-28"
      />
      <p className="mt-1 text-13">
        <span className="text-ink-soft">{kind}</span>{' '}
        <span className={`break-all ${type === 'PIX' ? '' : 'font-mono'}`}>
          {destinationText(destination)}
        </span>
      </p>
    </div>
  )
}

/** What leaves the wallet, and what stays in it. */
function Sums({
  order: { wallet, minor, note },
  fee,
  total,
  remains,
}: {
  readonly order: Order
  readonly fee: Minor
  readonly total: bigint
  readonly remains: bigint
}) {
  const words = useWords(withdrawalWords)
  const sum = sumsIn(wallet.currency)
  return (
    <InsetFacts
      items={[
        [words.amount, sum(minor)],
        [words.fee, sum(fee)],
        [words.total, sum(total, true)],
        [words.wallet, wallet.label],
        [words.remains, sum(remains)],
        note !== '' && [words.noteShort, note],
      ]}
    />
  )
}

/** What a request would come to. Only the first reason against it is named: each alone is enough. */
function Outlook({
  remains,
  over,
  currency,
  needsApproval,
}: {
  readonly remains: bigint
  readonly over: OverLimit | undefined
  readonly currency: string
  readonly needsApproval: boolean
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  if (remains < 0n) return <Notice tone="bad">{words.notEnough(format.money(-remains, currency))}</Notice>
  if (over !== undefined) {
    const most = format.money(over.minor, currency)
    return <Notice tone="bad">{over.isDay ? words.overDay(most) : words.overEach(most)}</Notice>
  }
  return (
    <Notice tone={needsApproval ? 'wait' : 'calm'}>
      {needsApproval ? words.needsApproval : words.goesNow}
    </Notice>
  )
}

/** Why the request was refused. A destination that is not listed has words that say what to do. */
function Refusal({ error }: { readonly error: unknown }) {
  const words = useWords(withdrawalWords)
  if (codeOf(error) === 'destination_not_allowed') return <Notice tone="bad">{words.notListed}</Notice>
  return error instanceof ProblemError && <FormFault error={error} />
}
