// The payment links of a merchant, newest first.
import { useNavigate } from '@tanstack/react-router'
import { given } from '#/kernel/given.ts'
import type { Body } from '../../api/call.ts'
import { type PaymentLink, currencies, type Currency } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { ActionDialog, ActionButton } from '../../kit/action-dialog.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { ButtonAnchor } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { startOfDay } from '../../kit/days.ts'
import { DialogButton } from '../../kit/dialog.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { choice } from '../../kit/filters.tsx'
import { useDraft, type Item } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { Money } from '../../kit/money.tsx'
import { PageHeader, Card } from '../../kit/page.tsx'
import { QrCode } from '../../kit/qr.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage, Stack } from '../../kit/record-page.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { linkWords } from '../../words/links.ts'
import { useFormat, useWords, useReader, type Reader } from '../../words/reader.ts'

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

// Makes a payment link, in one screen.

const blank = {
  name: '',
  description: '',
  currency: 'BRL' as Currency,
  kind: 'fixed' as 'fixed' | 'chosen',
  amount: '',
  least: '',
  most: '',
  checkout: 'default',
  usesMax: '',
  lastDay: '',
}
type Written = typeof blank

function CreateLinkDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (link: PaymentLink) => void
}) {
  const words = useWords(linkWords)
  const reader = useReader()
  const draft = useDraft(blank)
  const templates = useRead('listTemplates')
  const slugs = [...new Set(['default', ...(templates.data?.data ?? []).map(({ slug }) => slug)])]
  const { currency, kind } = draft.values
  const { wrong, body } = readDraft(draft.values, reader)
  const kinds = [
    { value: 'fixed', label: words.fixed },
    { value: 'chosen', label: words.chosen, help: words.chosenHelp },
  ] as const
  const amount = (name: 'amount' | 'least' | 'most', at: string, sentence: string): Item<Written> =>
    ({ name, at, label: words[name], currency, wrong: wrong.has(name) && sentence }) as Item<Written>
  return (
    <ActionDialog
      call="createPaymentLink"
      title={words.add}
      lead={words.addLead}
      act={words.create}
      draft={draft}
      fields={[
        {
          name: 'name',
          label: words.name,
          help: words.nameHelp,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          wrong: wrong.has('name') && words.nameWrong,
        },
        { name: 'description', label: words.description, maxLength: 500, autoComplete: 'off' },
        { name: 'currency', label: words.currency, options: currencies },
        { name: 'kind', label: words.kind, cards: kinds },
        kind === 'fixed'
          ? amount('amount', 'amount', words.amountWrong)
          : {
              className: 'grid-cols-2 gap-3!',
              row: [
                amount('least', 'minAmount', words.amountWrong),
                amount('most', 'maxAmount', words.mostWrong),
              ],
            },
        slugs.length > 1 && { name: 'checkout', label: words.template, options: slugs },
        {
          name: 'usesMax',
          label: words.usesMax,
          help: words.usesMaxHelp,
          inputMode: 'numeric',
          maxLength: 6,
          autoComplete: 'off',
          wrong: wrong.has('usesMax') && words.usesMaxWrong,
        },
        { name: 'lastDay', at: 'expiresAt', label: words.expiresAt, isDate: true },
      ]}
      body={() => body}
      done={words.created}
      onAnswer={onMade}
      onClose={onClose}
    />
  )
}

type Fault = 'name' | 'amount' | 'least' | 'most' | 'usesMax'

/** The body of the request, or what is wrong. */
function readDraft(
  draft: Written,
  { locale, timeZone }: Reader,
): { readonly body?: Body<'createPaymentLink'>; readonly wrong: ReadonlySet<Fault> } {
  const wrong = new Set<Fault>()
  const name = draft.name.trim()
  if (name === '') wrong.add('name')
  const minor = (text: string, fault: Fault) => {
    const read = minorOf(text, locale)
    if (read === undefined || read <= 0n) wrong.add(fault)
    return read ?? 0n
  }
  const isFixed = draft.kind === 'fixed'
  const amount = isFixed ? minor(draft.amount, 'amount') : 0n
  const [least, most] = isFixed ? [0n, 0n] : [minor(draft.least, 'least'), minor(draft.most, 'most')]
  if (most < least) wrong.add('most')
  const usesMax = draft.usesMax.trim() === '' ? undefined : Number(draft.usesMax)
  if (usesMax !== undefined && !(Number.isInteger(usesMax) && usesMax >= 1 && usesMax <= 10_000))
    wrong.add('usesMax')
  if (wrong.size > 0) return { wrong }
  const expiresAt = draft.lastDay === '' ? undefined : startOfDay(draft.lastDay, 1, timeZone)
  return {
    wrong,
    body: {
      name,
      currency: draft.currency,
      checkout: draft.checkout,
      ...(isFixed ? { amount } : { minAmount: least, maxAmount: most }),
      ...given({ description: draft.description.trim() || undefined, usesMax, expiresAt }),
    },
  }
}

// One payment link: what to share, how often it was used, and its payments.

export function LinkPage() {
  const words = useWords(linkWords)
  const { id: merchantId, may } = useMerchant()
  const linkId = useParam('linkId')
  return (
    <RecordPage
      of={useRead('getPaymentLink', { id: linkId })}
      kind={words.link}
      back={{ to: `/m/${merchantId}/payment-links`, label: words.title }}
      head={(link) => ({
        name: link.name,
        badges: <LinkState link={link} />,
        lead: <span className="break-all font-mono">{link.url}</span>,
        actions: (
          <>
            {may('payments:write') && link.status !== 'ARCHIVED' && (
              <ActionButton
                call="archivePaymentLink"
                id={link.id}
                title={words.archiveTitle}
                lead={words.archiveLead}
                act={words.archive}
                isDanger
                done={words.archiveDone}
              />
            )}
            <ButtonAnchor href={link.url} target="_blank" rel="noreferrer" icon="external">
              {words.see}
            </ButtonAnchor>
            <CopyAction value={link.url} label={words.copy} variant="primary" />
          </>
        ),
      })}
    >
      {(link) => (
        <Beside
          side={
            <Stack>
              <Card title={words.qrTitle}>
                <QrCode text={link.url} label={words.qr(link.name)} />
                <ButtonAnchor
                  href={link.qrCodeUrl}
                  target="_blank"
                  rel="noreferrer"
                  icon="download"
                  className="mt-3 w-full"
                >
                  {words.print}
                </ButtonAnchor>
              </Card>
              <Facts link={link} />
            </Stack>
          }
        >
          <Payments link={link} />
        </Beside>
      )}
    </RecordPage>
  )
}

function Facts({ link }: { readonly link: PaymentLink }) {
  const words = useWords(linkWords)
  const format = useFormat()
  const { uses, usesMax, description, expiresAt, checkout, createdAt } = link
  const paid = format.count(uses.paid)
  return (
    <Card title={words.facts}>
      <Definitions
        items={[
          [words.amount, <LinkAmount link={link} />],
          [words.uses, usesMax === undefined ? paid : words.usesOf(paid, format.count(usesMax))],
          [words.open, format.count(uses.open)],
          [words.about, description],
          [words.template, checkout],
          [words.until, timeOf(expiresAt)],
          [words.createdAt, timeOf(createdAt)],
        ]}
      />
    </Card>
  )
}

function Payments({ link }: { readonly link: PaymentLink }) {
  const words = useWords(linkWords)
  const { id } = useMerchant()
  const records = useRecords('listPayments', { query: { paymentLinkId: link.id } })
  return (
    <RecordList
      records={records}
      words={{ title: words.payments, none: words.noPayments, noneLead: words.noPaymentsLead }}
      icon="link"
      title={words.payments}
      columns={[
        { header: words.amount, money: 'amount', className: 'font-strong' },
        { header: words.state, grow: true, cell: (payment) => <PaymentState payment={payment} /> },
        { header: words.createdAt, time: 'createdAt' },
      ]}
      href={(payment) => `/m/${id}/payments/${payment.id}`}
    />
  )
}
