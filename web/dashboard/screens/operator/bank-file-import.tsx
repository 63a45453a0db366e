// Hands files of a bank in, part by part, and has a worker read them.
import { useRef, useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { OperatorJob } from '../../api/generated.ts'
import { fileBytesMax, filesMax, handIn } from '../../api/operator-files.ts'
import { useList } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FormDialog } from '../../kit/form.tsx'
import { Progress } from '../../kit/progress.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'

export function ImportDialog({
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
