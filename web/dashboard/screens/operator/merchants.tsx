// All merchants of this installation.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Locale } from '#/kernel/language.ts'
import { suggestedApprovalAbove } from '#/kernel/suggested-approval.ts'
import type { Answer } from '../../api/call.ts'
import { withdrawalTypes, type Mode, type OperatorMerchant } from '../../api/generated.ts'
import { useSession, useMayOperate } from '../../api/session.ts'
import { currencyOfType } from '../../api/withdrawals.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { choice } from '../../kit/filters.tsx'
import { named, useDraft, type Item } from '../../kit/form.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorWords } from '../../words/operator.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { OperatorDialog, ShownOnce } from './action-dialog.tsx'
import { CheckLine, ModeBadge, OnlyCommand } from './parts.tsx'

export function MerchantList() {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const { isSandboxHere } = useSession()
  const [isAdding, setAdding] = useState(false)
  const shared = useWords(operatorWords)
  const records = useRecords('listMerchants', {
    filters: [
      choice('state', shared.state, ['active', 'suspended', 'frozen', 'archived'], {
        active: words.stateActive,
        suspended: words.stateSuspended,
        frozen: words.stateFrozen,
        archived: words.stateArchived,
      }),
      choice('mode', shared.mode, ['LIVE', 'SANDBOX'], shared.modes),
    ],
    find: (search) => ({ search }),
  })
  const add = may('write') && (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      <RecordList
        records={records}
        words={words}
        icon="user"
        columns={[
          { header: shared.name, text: 'name', grow: true, className: 'font-strong' },
          { header: shared.state, cell: (merchant) => <MerchantState merchant={merchant} /> },
          { header: shared.mode, cell: ({ mode }) => <ModeBadge mode={mode} /> },
          { header: shared.created, time: 'createdAt' },
        ]}
        href={({ id }) => `/operator/merchants/${id}`}
        first={add}
      />
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

/** What the form begins with: the suggested amounts of approval, as they are typed in this language. */
function firstDraft(mode: Mode, locale: Locale) {
  const { PIX, SEPA, CRYPTO } = suggestedApprovalAbove
  const amounts = { PIX: inputOf(PIX, locale), SEPA: inputOf(SEPA, locale), CRYPTO: inputOf(CRYPTO, locale) }
  return { name: '', mode, isOnePerson: false, ...amounts }
}

function NewMerchant({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const { isSandboxHere } = useSession()
  const navigate = useNavigate()
  const { locale } = useReader()
  const draft = useDraft(firstDraft(isSandboxHere ? 'SANDBOX' : 'LIVE', locale))
  const { name, mode, isOnePerson, ...amounts } = draft.values
  // In a sandbox no money leaves, so nobody is asked who pays out.
  const asks = mode === 'LIVE'
  const approvals = withdrawalTypes.map((type) => ({
    type,
    above: isOnePerson ? ('none' as const) : (minorOf(amounts[type], locale) ?? 0n),
  }))
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
    <OperatorDialog
      title={words.add}
      lead={words.addLead}
      act={words.add}
      reason="maybe"
      call="createMerchant"
      draft={draft}
      fields={[
        { name: 'name', label: shared.name, maxLength: 200, autoFocus: true },
        { name: 'mode', label: shared.mode, cards: named(['SANDBOX', 'LIVE'], shared.modes) },
        asks && (
          <p key="lead" className="text-13 text-ink-soft">
            {words.approvalLead}
          </p>
        ),
        ...(asks && !isOnePerson ? withdrawalTypes : []).map(
          (type) =>
            ({
              name: type,
              at: '',
              label: `${words.approvalAbove}: ${words.types[type]}`,
              currency: currencyOfType[type],
              wrong: minorOf(amounts[type], locale) === undefined && words.amountWrong,
            }) as Item<typeof draft.values>,
        ),
        asks && (
          <CheckLine
            key="one-person"
            label={words.onePerson}
            isOn={isOnePerson}
            onSwitch={(isOn) => draft.put({ isOnePerson: isOn })}
          />
        ),
      ]}
      body={() => ({ name: name.trim(), mode, ...(asks ? { approvals } : {}) })}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}
