// The payment links of a merchant, newest first.
import { useNavigate } from '@tanstack/react-router'
import type { PaymentLink } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { choice } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { linkWords } from '../../words/links.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { CreateLinkDialog } from './create.tsx'

export function LinkList() {
  const words = useWords(linkWords)
  const navigate = useNavigate()
  const { id, may } = useMerchant()
  const records = useRecords('listPaymentLinks', {
    filters: [
      choice('archived', words.archived, ['false', 'true'], {
        false: words.archivedNo,
        true: words.archivedYes,
      }),
    ],
  })
  return (
    <>
      <PageHeader
        title={words.title}
        lead={words.lead}
        actions={
          may('payments:write') && (
            <DialogButton
              variant="primary"
              icon="plus"
              dialog={(onClose) => (
                <CreateLinkDialog
                  onClose={onClose}
                  onMade={(link) => void navigate({ to: `/m/${id}/payment-links/${link.id}` })}
                />
              )}
            >
              {words.add}
            </DialogButton>
          )
        }
      />
      <RecordList
        records={records}
        words={words}
        icon="link"
        columns={[
          { header: words.name, text: 'name', grow: true, className: 'font-strong' },
          { header: words.state, cell: (link) => <LinkState link={link} /> },
          { header: words.amount, align: 'end', cell: (link) => <LinkAmount link={link} /> },
          { header: words.uses, from: 'sm', align: 'end', cell: (link) => <Uses link={link} /> },
          { header: words.createdAt, time: 'createdAt', from: 'md' },
        ]}
        href={(link) => `/m/${id}/payment-links/${link.id}`}
      />
    </>
  )
}

const tones: Readonly<Record<PaymentLink['status'], Tone>> = {
  ACTIVE: 'good',
  USED_UP: 'wait',
  EXPIRED: 'calm',
  ARCHIVED: 'calm',
}

export function LinkState({ link }: { readonly link: PaymentLink }) {
  const { states } = useWords(linkWords)
  const icons = { good: 'checkCircle', wait: 'clock', calm: 'dash' } as const
  const tone = tones[link.status]
  return (
    <Badge tone={tone} icon={icons[tone as keyof typeof icons]}>
      {states[link.status]}
    </Badge>
  )
}

/** The amount, or from the least to the most. */
export function LinkAmount({ link }: { readonly link: PaymentLink }) {
  const words = useWords(linkWords)
  const format = useFormat()
  const { amount, minAmount = 0, maxAmount = 0, currency } = link
  if (amount !== undefined) return <Money minor={amount} currency={currency} className="font-strong" />
  return (
    <span className="whitespace-nowrap tabular-nums">
      {words.range(format.money(minAmount, currency), format.money(maxAmount, currency))}
    </span>
  )
}

function Uses({ link: { uses, usesMax } }: { readonly link: PaymentLink }) {
  const words = useWords(linkWords)
  const format = useFormat()
  const paid = format.count(uses.paid)
  return (
    <span className="whitespace-nowrap tabular-nums">
      {usesMax === undefined ? paid : words.usesOf(paid, format.count(usesMax))}
    </span>
  )
}
