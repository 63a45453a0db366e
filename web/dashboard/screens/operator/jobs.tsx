// Jobs that workers carry out: run one now, and see what the others found.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { jobKinds, jobStatuses } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { hasAddressForm } from '../../kit/address.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { choice } from '../../kit/filters.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
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
  const [chosen, setChosen] = useState<Runnable>()
  const records = useRecords('listJobs', {
    filters: [
      choice('kind', words.kind, jobKinds, nameOf),
      choice('status', shared.state, jobStatuses, words.states),
    ],
  })
  return (
    <>
      <PageHeader title={words.title} />
      {may('write') && <RunCards onChoose={setChosen} />}
      <RecordList
        records={records}
        words={words}
        icon="clock"
        columns={[
          { header: words.kind, grow: true, className: 'font-strong', cell: ({ kind }) => nameOf(kind) },
          { header: shared.state, cell: (job) => <JobState job={job} /> },
          { header: words.requestedAt, time: 'createdAt' },
        ]}
        href={({ id }) => `/operator/jobs/${id}`}
      />
      {chosen !== undefined && <RunDialog kind={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
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
