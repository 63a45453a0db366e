// One payment link: what to share, how often it was used, and its payments.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useParam } from '../../api/address.ts'
import type { PaymentLink } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault, LoadingOrFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Card, Definitions, PageHeader } from '../../kit/page.tsx'
import { QrCode } from '../../kit/qr.tsx'
import { NameTitle } from '../../kit/record-head.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { linkWords } from '../../words/links.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { LinkAmount, LinkState } from './list.tsx'

export function LinkPage() {
  const words = useWords(linkWords)
  const { id: merchantId, may } = useMerchant()
  const linkId = useParam('linkId')
  const { data, error, refetch } = useRead('getPaymentLink', { id: linkId })
  const [isArchiving, setArchiving] = useState(false)
  const back = { to: `/m/${merchantId}/payment-links`, label: words.title }
  if (data === undefined)
    return (
      <>
        <PageHeader title={words.link} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const canArchive = may('payments:write') && data.status !== 'ARCHIVED'
  return (
    <>
      <PageHeader
        back={back}
        titleText={data.name}
        title={
          <NameTitle name={data.name}>
            <LinkState link={data} />
          </NameTitle>
        }
        lead={<span className="break-all font-mono">{data.url}</span>}
        actions={
          <>
            {canArchive && <Button onClick={() => setArchiving(true)}>{words.archive}</Button>}
            <a href={data.url} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
              <Icon name="external" />
              {words.see}
            </a>
            <CopyAction value={data.url} label={words.copy} variant="primary" />
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <Payments link={data} />
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <Card title={words.qrTitle}>
            <QrCode text={data.url} label={words.qr(data.name)} />
            <a
              href={data.qrCodeUrl}
              target="_blank"
              rel="noreferrer"
              className={`${buttonClass('plain')} mt-3 w-full`}
            >
              <Icon name="download" />
              {words.print}
            </a>
          </Card>
          <Facts link={data} />
        </div>
      </div>
      {isArchiving && <ArchiveDialog link={data} onClose={() => setArchiving(false)} />}
    </>
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
          [words.amount, <LinkAmount key="amount" link={link} />],
          [words.uses, usesMax === undefined ? paid : words.usesOf(paid, format.count(usesMax))],
          [words.open, format.count(uses.open)],
          description !== undefined && [words.about, description],
          [words.template, checkout],
          expiresAt !== undefined && [words.until, <Time key="until" at={expiresAt} />],
          [words.createdAt, <Time key="created" at={createdAt} />],
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

function ArchiveDialog({ link, onClose }: { readonly link: PaymentLink; readonly onClose: () => void }) {
  const words = useWords(linkWords)
  const act = useAct()
  const archive = async () => {
    if (!(await act.send('archivePaymentLink', { id: link.id }))) return
    toast(words.archiveDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.archiveTitle} lead={words.archiveLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void archive()}>
          {words.archive}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
