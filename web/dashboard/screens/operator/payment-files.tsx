// Payouts by bank transfer leave in files, which a person takes once and uploads at the bank.
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import type { PaymentFile } from '../../api/generated.ts'
import { useMayOperate } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { saveFile } from '../../kit/save-file.ts'
import type { Column } from '../../kit/table.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorSuspenseWords } from '../../words/operator-suspense.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton, OperatorDialog } from './action-dialog.tsx'
import { Line } from './parts.tsx'

export function PaymentFileList() {
  const words = useWords(operatorFileWords)
  const records = useRecords('listPaymentFiles')
  // Not in its row: that shows soon who took the file.
  const [taken, setTaken] = useState<PaymentFile>()
  return (
    <>
      <PageHeader title={words.files} lead={words.filesLead} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <Waiting />
        <RecordList
          records={records}
          words={{ title: words.files, none: words.filesNone, noneLead: words.filesNoneLead }}
          icon="download"
          columns={useColumns(setTaken)}
        />
      </div>
      {taken !== undefined && <TakeDialog file={taken} onClose={() => setTaken(undefined)} />}
    </>
  )
}

/** Accounts whose payouts wait, each with its button. */
function Waiting() {
  const words = useWords(operatorFileWords)
  const suspense = useWords(operatorSuspenseWords)
  const format = useFormat()
  const may = useMayOperate()
  return (
    <RecordList
      records={useAllRecords('listWaitingPayouts')}
      words={{ title: words.waiting, none: words.waitingNone }}
      title={words.waiting}
      rowId={({ connection }) => connection}
      line={(each) => (
        <Line>
          <Money minor={each.amount} currency="EUR" className="text-15 font-strong" />
          <span className="figures">
            {each.isMore
              ? words.atLeast(format.count(each.payouts))
              : words.payouts(format.count(each.payouts))}
          </span>
          <span className="min-w-0 flex-1">
            <Code value={each.connection} what={suspense.connection} />
          </span>
          {may('approve') && (
            <OperatorButton
              variant="primary"
              title={words.makeTitle(format.money(each.amount, 'EUR'))}
              lead={words.makeLead}
              act={words.make}
              reason="none"
              call="makePaymentFile"
              body={() => ({ connectionId: each.connection })}
              done={words.made}
            />
          )}
        </Line>
      )}
    />
  )
}

type Take = (file: PaymentFile) => void

function Taken({ file, onTake }: { readonly file: PaymentFile; readonly onTake: Take }) {
  const words = useWords(operatorFileWords)
  const may = useMayOperate()
  if (file.takenBy !== undefined)
    return (
      <span className="block max-w-50 truncate" title={file.takenBy}>
        <span className="text-ink-soft sm:hidden">{words.takenBy} </span>
        {file.takenBy}
      </span>
    )
  if (!may('approve')) return words.notTaken
  return (
    <Button icon="download" onClick={() => onTake(file)}>
      {words.take}
    </Button>
  )
}

function useColumns(onTake: Take): readonly Column<PaymentFile>[] {
  const words = useWords(operatorFileWords)
  const suspense = useWords(operatorSuspenseWords)
  const format = useFormat()
  return [
    {
      header: words.sum,
      phone: 'title',
      cell: ({ amount, payouts }) => (
        <span className="whitespace-nowrap">
          <Money minor={amount} currency="EUR" className="font-strong" />{' '}
          <span className="text-ink-soft">{words.payouts(format.count(payouts))}</span>
        </span>
      ),
    },
    {
      header: suspense.connection,
      grow: true,
      phone: 'line',
      cell: ({ connection }) => <Code value={connection} what={suspense.connection} />,
    },
    { header: words.madeBy, text: 'madeBy', from: 'md' },
    { header: words.takenBy, cell: (file) => <Taken file={file} onTake={onTake} /> },
    { header: words.madeAt, time: 'createdAt' },
  ]
}

// Hands out a file of payments. The dialog keeps the key of its taking: when an answer was lost, the same button brings the same file.

type Handed = Answer<'takePaymentFile'>

const save = ({ name, content }: Handed) => saveFile(content, name, 'application/xml')

export function TakeDialog({ file, onClose }: { readonly file: PaymentFile; readonly onClose: () => void }) {
  const words = useWords(operatorFileWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const [key] = useState(() => crypto.randomUUID())
  const [handed, setHanded] = useState<Handed>()
  if (handed !== undefined)
    return (
      <Dialog open onClose={onClose} title={words.takenTitle} lead={words.takenLead(handed.name)}>
        <p className="text-13">
          {words.sum}: <span className="figures font-strong">{format.money(file.amount, 'EUR')}</span> ·{' '}
          {words.payouts(format.count(file.payouts))}
        </p>
        <DialogActions>
          <Button icon="download" onClick={() => save(handed)}>
            {words.saveAgain}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {shared.done}
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <OperatorDialog
      title={words.takeTitle(format.money(file.amount, 'EUR'))}
      lead={words.takeLead}
      act={words.take}
      reason="none"
      call="takePaymentFile"
      id={file.id}
      body={() => ({ key })}
      onAnswer={(answer) => {
        save(answer)
        setHanded(answer)
      }}
      onClose={onClose}
    />
  )
}
