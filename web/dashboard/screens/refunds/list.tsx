// All refunds of a merchant, newest first.
import type { Locale } from '#/kernel/language.ts'
import type { Payment, Refund } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { choice, currencyFilter, spanFilters } from '../../kit/filters.tsx'
import { minorOf } from '../../kit/format.ts'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { RefundState } from '../../kit/states.tsx'
import { frameWords } from '../../words/frame.ts'
import { useWords } from '../../words/reader.ts'
import { refundWords } from '../../words/refunds.ts'
import { stateWords } from '../../words/states.ts'
import { customerOf } from './customer.ts'

/** With the payment whose money goes back. */
type Row = Refund & { readonly payment?: Payment }

const statuses = ['PENDING', 'COMPLETED', 'FAILED'] as const

export function RefundList() {
  const words = useWords(refundWords)
  const { nav } = useWords(frameWords)
  const states = useWords(stateWords)
  const { id } = useMerchant()
  const records = useRecords('listRefunds', {
    query: { expand: 'payment' },
    filters: [
      choice('status', words.state, statuses, states.refund),
      currencyFilter(words.currency),
      ...spanFilters(words),
    ],
    find: findOf,
  })
  return (
    <>
      <PageHeader title={words.title} />
      <RecordList<Row>
        records={records}
        words={words}
        icon="refunds"
        columns={[
          { header: words.amount, money: 'amount', className: 'font-strong' },
          { header: words.state, cell: (refund) => <RefundStateOf refund={refund} /> },
          {
            header: words.customer,
            grow: true,
            cell: (refund) => (
              <span className="block truncate">
                {customerOf(refund)}
                {refund.reason !== undefined && <span className="text-ink-soft"> · {refund.reason}</span>}
              </span>
            ),
          },
          { header: words.created, time: 'createdAt' },
        ]}
        href={(refund) => `/m/${id}/refunds/${refund.id}`}
        news={useNews('refunds', records.retry)}
        first={<ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
      />
    </>
  )
}

/** The state, or that a second person has to decide. */
export function RefundStateOf({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  if (refund.status === 'PENDING' && refund.approvalRequired === true)
    return (
      <Badge tone="accent" icon="user">
        {words.needsApproval}
      </Badge>
    )
  return <RefundState status={refund.status} />
}

function findOf(text: string, locale: Locale): Readonly<Record<string, string>> | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { txHash: text }
  if (/^[ED][A-Za-z0-9]{20,39}$/.test(text)) return { endToEndId: text }
  const minor = minorOf(text.replace(/^(?:R\$|US\$|\$|€|USDT)\s*/i, ''), locale)
  return minor === undefined || minor === 0n ? undefined : { amount: String(minor) }
}
