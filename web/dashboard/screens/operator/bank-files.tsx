// The files in which banks say what came and left: handed in here, read by a worker, and listed with what became of them.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useRef } from 'react'
import { useAct } from '../../api/act.ts'
import { call } from '../../api/call.ts'
import type { BankFile, ForeignMoney, OperatorJob } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useMayOperate } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { SelectField } from '../../kit/field.tsx'
import { choice } from '../../kit/filters.tsx'
import { FormDialog } from '../../kit/form.tsx'
import { Progress } from '../../kit/loading.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { RecordList, useRecords, isNothing } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords, useFormat } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { HeldMovements, Typos } from './held-movements.tsx'
import { JobCard, useFollowed } from './job-view.tsx'
import { Line } from './parts.tsx'

export function BankFileList() {
  const words = useWords(operatorFileWords)
  const shared = useWords(operatorWords)
  const may = useMayOperate()
  const records = useRecords('listBankFiles', {
    filters: [choice('state', shared.state, ['IMPORTED', 'REFUSED'], words.states)],
  })
  const [isImporting, setImporting] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const handIn = may('write') && (
    <Button variant="primary" icon="plus" onClick={() => setImporting(true)}>
      {words.handIn}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} lead={words.lead} actions={handIn} />
      <div className="flex flex-col gap-6 phone:gap-4">
        <LastImport running={jobId} />
        <Typos />
        <HeldMovements />
        <ForeignList />
        <RecordList
          records={records}
          words={{
            ...words,
            noneFound: records.query.state === 'REFUSED' ? words.noneRefused : words.none,
          }}
          icon="reports"
          rowId={({ connection, sha256 }) => `${connection} ${sha256}`}
          columns={useColumns()}
          first={handIn}
        />
      </div>
      {isImporting && (
        <ImportDialog
          onClose={() => setImporting(false)}
          onStarted={(job) => {
            setImporting(false)
            setJobId(job.id)
          }}
        />
      )}
    </>
  )
}

/** The import under way, or the last one. */
function LastImport({ running }: { readonly running: string | undefined }) {
  const words = useWords(operatorFileWords)
  const client = useQueryClient()
  const [last] = useList('listJobs', { query: { kind: 'statement.import', limit: 1 } }).rows ?? []
  const job = useFollowed(running, last)
  const endedAt = job?.id === running ? job?.endedAt : undefined
  useEffect(() => {
    // The list and the typos are as they were before the import.
    if (endedAt !== undefined) void client.invalidateQueries({ queryKey: ['operator'] })
  }, [client, endedAt])
  return job !== undefined && <JobCard title={words.last} job={job} />
}

function FileState({ state }: Pick<BankFile, 'state'>) {
  const words = useWords(operatorFileWords)
  return <Badge tone={state === 'IMPORTED' ? 'good' : 'bad'}>{words.states[state]}</Badge>
}

function useColumns(): readonly Column<BankFile>[] {
  const words = useWords(operatorFileWords)
  const shared = useWords(operatorWords)
  return [
    {
      header: words.file,
      grow: true,
      cell: ({ name, message, reason, raised, ...file }) => (
        <span className="block min-w-0">
          <span className="block truncate font-strong">{name}</span>
          <span className="block truncate text-ink-soft">{message}</span>
          <Details>{reason ?? raised}</Details>
          <Correction file={file} />
        </span>
      ),
    },
    { header: shared.state, cell: ({ state }) => <FileState state={state} /> },
    { header: words.entries, count: 'entries', from: 'md' },
    { header: words.handedInBy, text: 'handedInBy', from: 'lg' },
    { header: words.handedIn, time: 'createdAt' },
  ]
}

/** For a refused file that may be the corrected statement: one person requests it, another one approves. */
function Correction({ file }: { readonly file: Pick<BankFile, 'connection' | 'sha256' | 'isCorrection'> }) {
  const words = useWords(operatorFileWords)
  const may = useMayOperate()
  if (!file.isCorrection || !may('approve')) return null
  return (
    <OperatorButton
      title={words.correctTitle}
      lead={words.correctLead}
      act={words.correct}
      reason="needed"
      call="requestCorrection"
      body={() => ({ connection: file.connection, sha256: file.sha256 })}
      done={words.corrected}
    />
  )
}

// Money on bank accounts in currencies that the books do not have: a person says what became of it at the bank.

/** Nothing, while nothing waits. */
function ForeignList() {
  const words = useWords(operatorFileWords)
  const records = useRecords('listForeignMoney')
  if (isNothing(records)) return null
  return (
    <RecordList
      records={records}
      words={{ title: words.foreign, none: '' }}
      title={words.foreign}
      line={(each) => <ForeignLine money={each} />}
    >
      <p className="px-4 pt-3 text-13 text-ink-soft">{words.foreignLead}</p>
    </RecordList>
  )
}

/** Not by the format of money: nobody here knows how many places the currency has. */
function textOf({ amount, currency }: ForeignMoney): string {
  return `${amount} ${currency}`
}

function ForeignLine({ money }: { readonly money: ForeignMoney }) {
  const words = useWords(operatorFileWords)
  const may = useMayOperate()
  const format = useFormat()
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-72">
        <span className="figures block text-15 font-strong">{textOf(money)}</span>
        <span className="block break-words text-ink-soft">
          {[money.party, money.wrote].filter((each) => each !== '').join(' · ')}
        </span>
        <span className="block break-words text-ink-soft">
          {money.entry} · {words.booked} {format.date(money.bookedOn)}
        </span>
      </span>
      {may('approve') && (
        <OperatorButton
          title={words.foreignTitle(textOf(money))}
          lead={words.foreignDoneLead}
          act={words.foreignDone}
          reason="needed"
          call="endForeignMoney"
          id={money.id}
          done={words.foreignWasDone}
        />
      )}
    </Line>
  )
}

// Hands files of a bank in, part by part, and has a worker read them.

function ImportDialog({
  onClose,
  onStarted,
}: {
  readonly onClose: () => void
  readonly onStarted: (job: OperatorJob) => void
}) {
  const words = useWords(operatorFileWords)
  const shared = useWords(operatorWords)
  const act = useAct()
  const [files, setFiles] = useState<readonly File[]>([])
  const [connectionId, setConnectionId] = useState('')
  const [fault, setFault] = useState<string>()
  const [sent, setSent] = useState<number>()
  const [error, setError] = useState<unknown>()
  const faultOf = useFileFault()
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const submit = async () => {
    const wrong = faultOf(files)
    setFault(wrong)
    setError(undefined)
    if (wrong !== undefined) return
    setSent(0)
    try {
      const uploads: string[] = []
      // One after another: they go over one line.
      for (const file of files)
        uploads.push(await handIn(file, (more) => setSent((before = 0) => before + more)))
      const account = connectionId === '' ? {} : { connectionId }
      const body = { kind: 'statement.import' as const, arguments: { uploads, ...account } }
      const job = await act.ask('requestJob', { body })
      if (job === undefined) return
      toast(words.started)
      onStarted(job)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSent(undefined)
    }
  }
  const isBusy = sent !== undefined || act.isBusy
  return (
    <FormDialog
      title={words.handIn}
      lead={words.handInLead}
      act={words.handIn}
      cancel={shared.back}
      error={error ?? act.error}
      isBusy={isBusy}
      onSend={submit}
      onClose={onClose}
    >
      <Chooser
        files={files}
        fault={fault}
        isBusy={isBusy}
        onChoose={(chosen) => {
          setFiles(chosen)
          setFault(faultOf(chosen))
        }}
      />
      <AccountField value={connectionId} onChange={setConnectionId} />
      {sent !== undefined && <Sent sent={sent} total={total} />}
    </FormDialog>
  )
}

function useFileFault(): (files: readonly File[]) => string | undefined {
  const words = useWords(operatorFileWords)
  return (files) => {
    if (files.length === 0) return words.noneChosen
    if (files.length > filesMax) return words.tooMany
    const large = files.find(({ size }) => size > fileBytesMax)
    if (large !== undefined) return words.tooLarge(large.name)
    const empty = files.find(({ size }) => size === 0)
    return empty === undefined ? undefined : words.isEmpty(empty.name)
  }
}

function Chooser({
  files,
  fault,
  isBusy,
  onChoose,
}: {
  readonly files: readonly File[]
  readonly fault: string | undefined
  readonly isBusy: boolean
  readonly onChoose: (files: readonly File[]) => void
}) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-col gap-2 text-13">
      <input
        ref={chooser}
        type="file"
        multiple
        accept=".xml,.zip,application/xml,text/xml,application/zip"
        aria-label={words.chosen}
        tabIndex={-1}
        className="aside"
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          event.target.value = ''
          // As banks name them: in the order of the days.
          onChoose(
            chosen.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true })),
          )
        }}
      />
      <Button className="self-start" disabled={isBusy} onClick={() => chooser.current?.click()}>
        {words.choose}
      </Button>
      {files.length > 0 && (
        <ul aria-label={words.chosen} className="max-h-48 divide-y divide-line overflow-y-auto">
          {files.map((file) => (
            <li key={`${file.name} ${file.size}`} className="flex items-center justify-between gap-3 py-1.5">
              <span className="min-w-0 break-words">{file.name}</span>
              <span className="figures whitespace-nowrap text-ink-soft">{format.bytes(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
      {fault !== undefined && (
        <p role="alert" className="text-bad">
          {fault}
        </p>
      )}
    </div>
  )
}

/** Only where there are several accounts: else the file names the one. */
function AccountField({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (connectionId: string) => void
}) {
  const words = useWords(operatorFileWords)
  const connections = useList('listConnections', { query: { limit: 100 } }).rows ?? []
  const accounts = connections.filter(({ method }) => method === 'SEPA_TRANSFER')
  if (accounts.length < 2) return null
  return (
    <SelectField
      label={words.account}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: words.anyAccount },
        ...accounts.map(({ id, settings: { iban }, merchantName }) => ({
          value: id,
          label: [typeof iban === 'string' ? iban : id, merchantName].filter(Boolean).join(' · '),
        })),
      ]}
    />
  )
}

function Sent({ sent, total }: { readonly sent: number; readonly total: number }) {
  const words = useWords(operatorFileWords)
  const format = useFormat()
  const text = words.sending(format.share(total === 0 ? 1 : sent / total))
  return (
    <div className="flex flex-col gap-2 text-13" role="status">
      <p>{text}</p>
      <Progress value={sent} max={total} label={text} />
    </div>
  )
}

// How a bank file is handed in: by parts, so that no request is large.

/** What the server accepts: a larger file is split by the bank. */
const fileBytesMax = 16 * 1024 * 1024
/** Files of one import. */
const filesMax = 50

/** Hands in a file. `onBytes` hears how many more of its bytes have arrived. Returns its id, by which a job takes it. */
async function handIn(file: File, onBytes: (more: number) => void): Promise<string> {
  const body = { name: file.name.slice(-200), size: file.size }
  const { id, partBytes } = await call('beginUpload', { body })
  for (let number = 0; number * partBytes < file.size; number += 1) {
    const bytes = file.slice(number * partBytes, (number + 1) * partBytes)
    await call('addUploadPart', { id, query: { number }, bytes })
    onBytes(bytes.size)
  }
  return id
}
