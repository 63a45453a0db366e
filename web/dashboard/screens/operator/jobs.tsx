// Jobs that workers carry out: run one now, and see what the others found.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { jobKinds, jobStatuses, type JobKind, type OperatorJob } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useList } from '../../api/queries.ts'
import { hasAddressForm } from '../../kit/address.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { TextField } from '../../kit/field.tsx'
import { FilterBar, useFilters } from '../../kit/filters.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorJobWords } from '../../words/operator-jobs.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { JobState, useKindName } from './job-view.tsx'

const runnable = ['verify', 'balances', 'sweep', 'rescue'] as const
type Runnable = (typeof runnable)[number]

export function JobList() {
  const words = useWords(operatorJobWords)
  const shared = useWords(operatorWords)
  const nameOf = useKindName()
  const may = useMayOperate()
  const [{ kind, status }] = useFilters()
  const isFiltered = kind !== undefined || status !== undefined
  const [chosen, setChosen] = useState<Runnable>()
  const list = useList('listJobs', { query: { kind, status } })
  return (
    <>
      <PageHeader title={words.title} />
      {may('write') && <RunCards onChoose={setChosen} />}
      <Card flush>
        <FilterBar
          filters={[
            {
              name: 'kind',
              label: words.kind,
              options: jobKinds.map((value: JobKind) => ({ value, label: nameOf(value) })),
            },
            {
              name: 'status',
              label: shared.state,
              options: jobStatuses.map((value) => ({ value, label: words.states[value] })),
            },
          ]}
        />
        <Table
          label={words.title}
          {...list}
          rowId={({ id }) => id}
          href={({ id }) => `/operator/jobs/${id}`}
          columns={useColumns()}
          phone={(job) => (
            <>
              <span className="text-15 font-strong">{nameOf(job.kind)}</span>
              <span className="flex items-center justify-between gap-3">
                <JobState job={job} />
                <Time at={job.createdAt} inRow className="text-ink-soft" />
              </span>
            </>
          )}
          empty={
            <Empty icon="clock" title={isFiltered ? words.noneFound : words.none}>
              {isFiltered ? words.noneFoundLead : words.noneLead}
            </Empty>
          }
        />
      </Card>
      {chosen !== undefined && <RunDialog kind={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function useColumns(): readonly Column<OperatorJob>[] {
  const words = useWords(operatorJobWords)
  const shared = useWords(operatorWords)
  const nameOf = useKindName()
  return [
    {
      id: 'kind',
      header: words.kind,
      grow: true,
      cell: (job) => <span className="block truncate font-strong">{nameOf(job.kind)}</span>,
    },
    { id: 'state', header: shared.state, cell: (job) => <JobState job={job} /> },
    {
      id: 'requested',
      header: words.requestedAt,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} inRow className="text-ink-soft" />,
    },
  ]
}

function RunDialog({ kind, onClose }: { readonly kind: Runnable; readonly onClose: () => void }) {
  const words = useWords(operatorJobWords)
  const nameOf = useKindName()
  const navigate = useNavigate()
  const [chain, setChain] = useState('')
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('native')
  const [wasTried, setTried] = useState(false)
  const isGood = kind !== 'rescue' || hasAddressForm(address)
  const isTokenGood = kind !== 'rescue' || token.trim() === 'native' || hasAddressForm(token)
  const body = () => {
    setTried(true)
    if (!isGood || !isTokenGood) return undefined
    const where = chain.trim() === '' ? {} : { chain: chain.trim() }
    const what = kind === 'rescue' ? { address: address.trim(), token: token.trim() } : {}
    return { kind, arguments: { ...where, ...what } }
  }
  return (
    <ActionDialog
      title={nameOf(kind)}
      lead={words.leads[kind]}
      act={words.run}
      reason="maybe"
      call="requestJob"
      body={body}
      done={words.started}
      onAnswer={({ id }) => void navigate({ to: `/operator/jobs/${id}` })}
      onClose={onClose}
    >
      {() => (
        <>
          {(kind === 'sweep' || kind === 'rescue') && (
            <TextField label={words.chain} value={chain} onChange={(event) => setChain(event.target.value)} />
          )}
          {kind === 'rescue' && (
            <>
              <TextField
                label={words.address}
                value={address}
                className="font-mono"
                fault={wasTried && !isGood ? words.addressWrong : undefined}
                onChange={(event) => setAddress(event.target.value)}
              />
              <TextField
                label={words.token}
                value={token}
                className="font-mono"
                fault={wasTried && !isTokenGood ? words.addressWrong : undefined}
                onChange={(event) => setToken(event.target.value)}
              />
            </>
          )}
        </>
      )}
    </ActionDialog>
  )
}

function RunCards({ onChoose }: { readonly onChoose: (kind: Runnable) => void }) {
  const words = useWords(operatorJobWords)
  const nameOf = useKindName()
  return (
    <ul className="mb-6 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4 phone:mb-4">
      {runnable.map((each) => (
        <li key={each} className="flex flex-col gap-2 rounded-card border border-line bg-card p-4">
          <h2 className="text-15 font-strong">{nameOf(each)}</h2>
          <p className="flex-1 text-13 text-ink-soft">{words.leads[each]}</p>
          <Button icon="play" className="self-start" onClick={() => onChoose(each)}>
            {words.run}
            <span className="aside">: {nameOf(each)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
