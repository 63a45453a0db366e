// All merchants of this installation.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import type { OperatorMerchant } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { faultOf } from '../../api/problem.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { createdColumn } from '../../kit/columns.tsx'
import { Empty } from '../../kit/empty.tsx'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { FilterBar, useFilters, type Filter } from '../../kit/filters.tsx'
import { Card, PageHeader } from '../../kit/page.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { ActionDialog, ShownOnce } from './action-dialog.tsx'
import { OnlyCommand } from './only-command.tsx'
import { ModeBadge } from './parts.tsx'

export function MerchantList() {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const { isSandboxHere } = useSession()
  const [isAdding, setAdding] = useState(false)
  const [{ q = '', state, mode }] = useFilters()
  const list = useList('listMerchants', {
    query: {
      search: q === '' ? undefined : q,
      state,
      mode,
    },
  })
  const isFiltered = q !== '' || state !== undefined || mode !== undefined
  const add = may('write') && (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      <Card flush>
        <FilterBar search={words.search} filters={useFilterList()} />
        <Table
          label={words.title}
          columns={useColumns()}
          {...list}
          rowId={({ id }) => id}
          href={({ id }) => `/operator/merchants/${id}`}
          phone={(merchant) => <PhoneLines merchant={merchant} />}
          empty={
            <Empty
              icon="user"
              title={isFiltered ? words.noneFound : words.none}
              action={isFiltered ? undefined : add}
            >
              {isFiltered ? words.noneFoundLead : words.noneLead}
            </Empty>
          }
        />
      </Card>
      {isSandboxHere && (
        <div className="mt-6 phone:mt-4">
          <OnlyCommand why="sandboxes" commands={['sandbox create <name>', 'sandbox archive <name>']} />
        </div>
      )}
      {isAdding && <NewMerchant onClose={() => setAdding(false)} />}
    </>
  )
}

function stateOf({ archivedAt, isSuspended, isFrozen }: OperatorMerchant) {
  if (archivedAt !== undefined) return 'archived'
  if (isSuspended) return 'suspended'
  return isFrozen ? 'frozen' : 'active'
}

export function MerchantState({ merchant }: { readonly merchant: OperatorMerchant }) {
  const words = useWords(operatorMerchantWords)
  const state = stateOf(merchant)
  if (state === 'archived') return <Badge tone="calm">{words.stateArchived}</Badge>
  if (state === 'suspended') return <Badge tone="bad">{words.stateSuspended}</Badge>
  if (state === 'frozen') return <Badge tone="wait">{words.stateFrozen}</Badge>
  return <Badge tone="good">{words.stateActive}</Badge>
}

function PhoneLines({ merchant }: { readonly merchant: OperatorMerchant }) {
  return (
    <>
      <span className="truncate text-15 font-strong">{merchant.name}</span>
      <span className="flex flex-wrap items-center gap-1">
        <MerchantState merchant={merchant} />
        <ModeBadge mode={merchant.mode} />
      </span>
    </>
  )
}

function useColumns(): readonly Column<OperatorMerchant>[] {
  const words = useWords(operatorWords)
  return [
    {
      id: 'name',
      header: words.name,
      grow: true,
      cell: ({ name }) => <span className="block truncate font-strong">{name}</span>,
    },
    { id: 'state', header: words.state, cell: (merchant) => <MerchantState merchant={merchant} /> },
    { id: 'mode', header: words.mode, cell: ({ mode }) => <ModeBadge mode={mode} /> },
    createdColumn(words.created),
  ]
}

function NewMerchant({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const { isSandboxHere } = useSession()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [mode, setMode] = useState<'LIVE' | 'SANDBOX'>(isSandboxHere ? 'SANDBOX' : 'LIVE')
  const [made, setMade] = useState<Answer<'createMerchant'>>()
  if (made !== undefined)
    return (
      <ShownOnce
        title={words.addDone(made.name)}
        lead={words.secretLead}
        label={words.secret}
        value={made.webhookSecret}
        onClose={() => void navigate({ to: `/operator/merchants/${made.id}` })}
      />
    )
  return (
    <ActionDialog
      title={words.add}
      lead={words.addLead}
      act={words.add}
      reason="maybe"
      call="createMerchant"
      body={() => ({ name: name.trim(), mode })}
      onAnswer={setMade}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label={shared.name}
            value={name}
            maxLength={200}
            autoFocus
            fault={faultOf(error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
          <RadioCards
            legend={shared.mode}
            value={mode}
            onChange={setMode}
            options={[
              { value: 'SANDBOX', label: shared.modes.SANDBOX },
              { value: 'LIVE', label: shared.modes.LIVE },
            ]}
          />
        </>
      )}
    </ActionDialog>
  )
}

function useFilterList(): readonly Filter[] {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  return [
    {
      name: 'state',
      label: shared.state,
      options: [
        { value: 'active', label: words.stateActive },
        { value: 'suspended', label: words.stateSuspended },
        { value: 'frozen', label: words.stateFrozen },
        { value: 'archived', label: words.stateArchived },
      ],
    },
    {
      name: 'mode',
      label: shared.mode,
      options: [
        { value: 'LIVE', label: shared.modes.LIVE },
        { value: 'SANDBOX', label: shared.modes.SANDBOX },
      ],
    },
  ]
}
