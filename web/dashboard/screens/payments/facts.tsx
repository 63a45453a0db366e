// The facts of a payment beside its story.
import type { ReactNode } from 'react'
import type { Payment } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code, CopyButton } from '../../kit/copy.tsx'
import type { Minor } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { kitWords } from '../../words/kit.ts'
import { paymentWords, type CustomerText } from '../../words/payments.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'

export function PaymentFacts({ payment }: { readonly payment: Payment }) {
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  const { currency, card } = payment
  const money = (minor: Minor) => <Money minor={minor} currency={currency} />
  const methods = (payment.paymentMethod === undefined ? payment.paymentMethods : [payment.paymentMethod])
    .map((each) => states.method[each])
    .join(', ')
  return (
    <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
      <Card title={words.details}>
        <Definitions
          items={[
            [words.received, money(payment.amountReceived)],
            BigInt(payment.amountRefunded) > 0n && [
              words.refundedSum,
              money(-BigInt(payment.amountRefunded)),
            ],
            BigInt(payment.amountRefundPending) > 0n && [
              words.refundPending,
              money(payment.amountRefundPending),
            ],
            [words.fee, money(-BigInt(payment.fee))],
            [words.net, <strong key="net">{money(payment.netAmount)}</strong>],
            [words.method, methods],
            card !== undefined && [words.card, `${card.brand ?? ''} ·· ${card.last4 ?? ''}`],
            [words.created, <Time key="created" at={payment.createdAt} />],
            payment.approvedAt !== undefined && [
              words.approved,
              <Time key="approved" at={payment.approvedAt} />,
            ],
            payment.paidAt !== undefined && [words.paid, <Time key="paid" at={payment.paidAt} />],
            payment.paidAt === undefined &&
              payment.expiresAt !== undefined && [
                words.expires,
                <Time key="expires" at={payment.expiresAt} />,
              ],
            payment.description !== undefined && [words.description, payment.description],
            ...(payment.endToEndIds ?? []).map(
              (each) =>
                [words.endToEnd, <Code key={each} value={each} what={words.endToEnd} keep={8} />] as const,
            ),
            payment.cryptoAddress !== undefined && [
              words.address,
              <Code key="address" value={payment.cryptoAddress} what={words.address} keep={8} />,
            ],
            payment.cryptoNetwork !== undefined && [words.network, payment.cryptoNetwork],
            ...transferFacts(payment, words),
            ...voucherFacts(payment, words),
          ]}
        />
      </Card>
      <Customer payment={payment} />
      <Deposits payment={payment} />
      <Items payment={payment} />
      <MetadataOf payment={payment} />
    </div>
  )
}

type Words = (typeof paymentWords)['en']
type Fact = readonly [string, ReactNode]

function coded(what: string, value: string | undefined, keep: number): readonly Fact[] {
  return value === undefined ? [] : [[what, <Code key={what} value={value} what={what} keep={keep} />]]
}

/** Where a bank transfer goes, and what the payer quotes. */
function transferFacts({ sepa }: Payment, words: Words): readonly Fact[] {
  if (sepa === undefined) return []
  return [
    ...coded(words.iban, sepa.iban, 20),
    [words.beneficiary, sepa.beneficiary],
    ...coded(words.reference, sepa.reference, 20),
  ]
}

/** What the payer takes to a bank. */
function voucherFacts({ voucher }: Payment, words: Words): readonly Fact[] {
  if (voucher === undefined) return []
  const { entity, reference, line, expiresAt } = voucher
  return [
    ...coded(words.entity, entity, 20),
    ...coded(words.reference, reference, 20),
    ...coded(words.line, line, 12),
    ...(expiresAt === undefined ? [] : [[words.due, <Time key="due" at={expiresAt} />] as const]),
  ]
}

function Customer({ payment }: { readonly payment: Payment }) {
  const words = useWords(paymentWords)
  const { payerErasedAt } = payment
  const texts = (Object.keys(words.customerTexts) as CustomerText[]).flatMap((name): readonly Fact[] => {
    const [what, value] = [words.customerTexts[name], payment[name]]
    if (value === undefined) return []
    if (name === 'customerName') return [[what, value]]
    const copied = (
      <span key={what} className="inline-flex max-w-full items-center gap-0.5">
        <span className="truncate">{value}</span>
        <CopyButton value={value} what={what} />
      </span>
    )
    return [[what, copied]]
  })
  if (texts.length === 0 && payerErasedAt === undefined) return null
  return (
    <Card title={words.customer}>
      <Definitions
        items={[
          ...texts,
          payerErasedAt !== undefined && [words.erased, <Time key="erased" at={payerErasedAt} />],
        ]}
      />
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

function MetadataOf({ payment }: { readonly payment: Payment }) {
  const words = useWords(paymentWords)
  const entries = Object.entries(payment.metadata ?? {})
  if (entries.length === 0) return null
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return (
    <Card title={words.metadata}>
      <Definitions
        items={entries.map(
          ([name, value]) => [name, <Code key={name} value={textOf(value)} what={name} keep={12} />] as const,
        )}
      />
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
