// The payment links of a merchant, newest first.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { PaymentLink } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FilterBar, useFilters } from '../../kit/filters.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { linkWords } from '../../words/links.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { CreateLinkDialog } from './create.tsx'

export function LinkList() {
  const words = useWords(linkWords)
  const navigate = useNavigate()
  const { id, may } = useMerchant()
  const [{ archived }] = useFilters()
  const [isAdding, setAdding] = useState(false)
  const query = archived === undefined ? {} : { archived }
  const list = useList('listPaymentLinks', { query })
  return (
    <>
      <PageHeader
        title={words.title}
        lead={words.lead}
        actions={
          may('payments:write') && (
            <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          )
        }
      />
      <Card flush>
        <FilterBar
          filters={[
            {
              name: 'archived',
              label: words.archived,
              options: [
                { value: 'false', label: words.archivedNo },
                { value: 'true', label: words.archivedYes },
              ],
            },
          ]}
        />
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rowId={(link) => link.id}
          href={(link) => `/m/${id}/payment-links/${link.id}`}
          phone={(link) => <PhoneLines link={link} />}
          empty={
            <Empty icon="link" title={archived === undefined ? words.none : words.noneFound}>
              {archived === undefined && words.noneLead}
            </Empty>
          }
        />
      </Card>
      {isAdding && (
        <CreateLinkDialog
          onClose={() => setAdding(false)}
          onMade={(link) => void navigate({ to: `/m/${id}/payment-links/${link.id}` })}
        />
      )}
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

function PhoneLines({ link }: { readonly link: PaymentLink }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-strong">{link.name}</span>
        <LinkAmount link={link} />
      </span>
      <span className="flex items-center justify-between gap-3">
        <LinkState link={link} />
        <Time at={link.createdAt} inRow className="text-ink-soft" />
      </span>
    </>
  )
}

function useColumns(): readonly Column<PaymentLink>[] {
  const words = useWords(linkWords)
  return [
    {
      id: 'name',
      header: words.name,
      grow: true,
      cell: ({ name }) => <span className="block truncate font-strong">{name}</span>,
    },
    { id: 'state', header: words.state, cell: (link) => <LinkState link={link} /> },
    { id: 'amount', header: words.amount, align: 'end', cell: (link) => <LinkAmount link={link} /> },
    { id: 'uses', header: words.uses, from: 'sm', align: 'end', cell: (link) => <Uses link={link} /> },
    createdColumn(words.createdAt, 'md'),
  ]
}
