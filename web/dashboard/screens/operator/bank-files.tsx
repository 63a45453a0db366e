// The files in which banks say what came and left: handed in here, read by a worker, and listed with what became of them.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BankFile } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Details } from '../../kit/details.tsx'
import { choice } from '../../kit/filters.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import type { Column } from '../../kit/table.tsx'
import { operatorFileWords } from '../../words/operator-files.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { ImportDialog } from './bank-file-import.tsx'
import { ForeignList } from './foreign-money.tsx'
import { HeldMovements } from './held-movements.tsx'
import { JobCard, useFollowed } from './job-view.tsx'
import { Typos } from './typos.tsx'

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
