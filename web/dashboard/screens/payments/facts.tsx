// The facts of a payment beside its story.
import type { Dispute, Payment, PaymentShare } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code, CopyButton } from '../../kit/copy.tsx'
import { codeOf, Definitions, MetadataCard, sumsIn, timeOf, type Fact } from '../../kit/facts.tsx'
import { Money } from '../../kit/money.tsx'
import { netOf, netPartsOf } from '../../kit/net.ts'
import { Card } from '../../kit/page.tsx'
import { Stack } from '../../kit/record-page.tsx'
import { Time } from '../../kit/time.tsx'
import { kitWords } from '../../words/kit.ts'
import { paymentWords, type CustomerText } from '../../words/payments.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { shareWords } from '../../words/shares.ts'
import { stateWords } from '../../words/states.ts'

export function PaymentFacts({
  payment,
  disputes,
  shares,
}: {
  readonly payment: Payment
  readonly disputes: readonly Dispute[]
  readonly shares: readonly PaymentShare[]
}) {
  const words = useWords(paymentWords)
  const shared = useWords(shareWords)
  const states = useWords(stateWords)
  const { currency, card } = payment
  const sum = sumsIn(currency)
  const parts = netPartsOf(payment, { disputes, shares })
  const methods = (payment.paymentMethod === undefined ? payment.paymentMethods : [payment.paymentMethod])
    .map((each) => states.method[each])
    .join(', ')
  return (
    <Stack>
      <Card title={words.details}>
        <Definitions
          items={[
            [words.received, sum(payment.amountReceived)],
            BigInt(payment.amountRefunded) > 0n && [words.refundedSum, sum(-BigInt(payment.amountRefunded))],
            BigInt(payment.amountRefundPending) > 0n && [
              words.refundPending,
              sum(payment.amountRefundPending),
            ],
            parts.disputes > 0n && [words.disputes, sum(-parts.disputes)],
            [words.fee, sum(-parts.fees)],
            parts.shares > 0n && [shared.shares, sum(-parts.shares)],
            [words.net, sum(netOf(parts), true)],
            [words.method, methods],
            card !== undefined && [words.card, `${card.brand ?? ''} ·· ${card.last4 ?? ''}`],
            [words.created, timeOf(payment.createdAt)],
            [words.approved, timeOf(payment.approvedAt)],
            [words.paid, timeOf(payment.paidAt)],
            payment.paidAt === undefined && [words.expires, timeOf(payment.expiresAt)],
            [words.description, payment.description],
            ...(payment.endToEndIds ?? []).map((each): Fact => [
              words.endToEnd,
              codeOf(each, words.endToEnd, 8),
            ]),
            [words.address, codeOf(payment.cryptoAddress, words.address, 8)],
            [words.network, payment.cryptoNetwork],
            // Where a bank transfer goes, and what the payer quotes.
            [words.iban, codeOf(payment.sepa?.iban, words.iban, 20)],
            [words.beneficiary, payment.sepa?.beneficiary],
            [words.reference, codeOf(payment.sepa?.reference, words.reference, 20)],
            // What the payer takes to a bank.
            [words.entity, codeOf(payment.voucher?.entity, words.entity, 20)],
            [words.reference, codeOf(payment.voucher?.reference, words.reference, 20)],
            [words.line, codeOf(payment.voucher?.line, words.line, 12)],
            [words.due, timeOf(payment.voucher?.expiresAt)],
          ]}
        />
      </Card>
      <Customer payment={payment} />
      <Deposits payment={payment} />
      <Items payment={payment} />
      <MetadataCard
        title={words.metadata}
        metadata={payment.metadata}
        show={(value, name) => codeOf(value, name, 12)}
      />
    </Stack>
  )
}

function Customer({ payment }: { readonly payment: Payment }) {
  const words = useWords(paymentWords)
  const { payerErasedAt } = payment
  const texts = (Object.keys(words.customerTexts) as CustomerText[]).flatMap((name): readonly Fact[] => {
    const [what, value] = [words.customerTexts[name], payment[name]]
    if (value === undefined) return []
    if (name === 'customerName') return [[what, value]]
    const copied = (
      <span className="inline-flex max-w-full items-center gap-0.5">
        <span className="truncate">{value}</span>
        <CopyButton value={value} what={what} />
      </span>
    )
    return [[what, copied]]
  })
  if (texts.length === 0 && payerErasedAt === undefined) return null
  return (
    <Card title={words.customer}>
      <Definitions items={[...texts, [words.erased, timeOf(payerErasedAt)]]} />
      {payerErasedAt !== undefined && <p className="mt-2 text-13 text-ink-soft">{words.erasedNote}</p>}
    </Card>
  )
}

function Items({ payment }: { readonly payment: Payment }) {
  const words = useWords(paymentWords)
  const format = useFormat()
  if (payment.items === undefined) return null
  return (
    <Card title={words.items}>
      <ul>
        {payment.items.map((item, index) => (
          // Two lines may be alike; their order is fixed.
          <li key={index} className="flex min-h-9 items-center justify-between gap-4 py-1 text-13">
            <span className="min-w-0 break-words">
              {item.name}
              {item.quantity !== 1 && (
                <span className="figures text-ink-soft"> × {format.count(item.quantity)}</span>
              )}
            </span>
            <Money minor={BigInt(item.amount) * BigInt(item.quantity)} currency={payment.currency} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Transfers on the chain. The record holds ten; the rest come by pages. */
function Deposits({ payment }: { readonly payment: Payment }) {
  const words = useWords(paymentWords)
  const kit = useWords(kitWords)
  const format = useFormat()
  const count = payment.depositCount ?? 0
  const list = useList('listPaymentDeposits', { id: payment.id, enabled: count > 0 })
  if (count === 0 || list.rows === undefined) return null
  return (
    <Card title={words.deposits}>
      <ul className="flex flex-col gap-3">
        {list.rows.map((deposit) => (
          <li key={`${deposit.txHash} ${deposit.amount}`} className="flex flex-col gap-1 text-13">
            <div className="flex items-center justify-between gap-3">
              <span className="figures font-strong">{unitsText(deposit.amount, format.count)} USDT</span>
              <Badge tone={deposit.final ? 'good' : 'wait'}>
                {deposit.final ? words.final : words.notFinal}
              </Badge>
            </div>
            <div className="flex flex-wrap items-center justify-between gap-x-3 text-ink-soft">
              <Code value={deposit.txHash} what={words.transaction} keep={8} />
              <Time at={deposit.at} />
            </div>
            <span className="figures text-ink-soft">
              {words.confirmations(format.count(deposit.confirmations))}
            </span>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button onClick={list.more} busy={list.isFetching} className="mt-3 w-full">
          {kit.more}
        </Button>
      )}
    </Card>
  )
}

/** Base units with 18 decimals, with at least two and no empty decimals. */
function unitsText(units: string, count: (whole: number) => string): string {
  const digits = units.padStart(19, '0')
  const decimal = count(1.5).includes(',') ? ',' : '.'
  const fraction = digits.slice(-18).replace(/0+$/, '').padEnd(2, '0')
  return `${count(Number(digits.slice(0, -18)))}${decimal}${fraction}`
}
