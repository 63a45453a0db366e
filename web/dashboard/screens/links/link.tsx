// One payment link: what to share, how often it was used, and its payments.
import { useParam } from '../../api/address.ts'
import type { PaymentLink } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { ButtonAnchor } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { Card } from '../../kit/page.tsx'
import { QrCode } from '../../kit/qr.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage, Stack } from '../../kit/record-page.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { linkWords } from '../../words/links.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { LinkAmount, LinkState } from './list.tsx'

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
