// One sub-account: its state, what its wallets hold, what it owes, and its keys.
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import {
  type CurrencyBalance,
  type SubAccount,
  scopes as allScopes,
  type NewApiKey,
  type Scope,
} from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { ActionButton, ActionDialog } from '../../kit/action-dialog.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { Definitions, sumsIn, timeOf } from '../../kit/facts.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { MadeKey } from '../developers/key-form.tsx'
import { KeyState } from '../developers/keys.tsx'
import { ScopePicker } from '../developers/scopes.tsx'
import { SubAccountGrants, SubAccountTransfer } from './grants.tsx'
import { SubAccountBadge } from './list.tsx'

export function SubAccountPage() {
  const words = useWords(subAccountWords)
  const { id: merchantId, may } = useMerchant()
  const id = useParam('subAccountId')
  const read = useRead('getSubAccount', { id })
  const balance = useRead('getSubAccountBalance', { id })
  return (
    <RecordPage
      of={{
        data: balance.data && read.data,
        error: read.error ?? balance.error,
        refetch: () => Promise.all([read.refetch(), balance.refetch()]),
      }}
      kind={words.one}
      back={{ to: `/m/${merchantId}/sub-accounts`, label: words.title }}
      head={(account) => ({
        name: account.name,
        badges: <SubAccountBadge state={account.state} />,
        id: [account.id, words.one],
        actions: (
          <>
            <Pay account={account} />
            <StateActions account={account} />
          </>
        ),
      })}
    >
      {(account) => (
        <Beside
          side={
            <Card title={words.facts}>
              <Definitions
                items={[
                  [words.tax, account.taxId],
                  [words.referenceShort, account.reference],
                  [words.createdAt, timeOf(account.createdAt)],
                  [words.activatedAt, timeOf(account.activatedAt)],
                ]}
              />
            </Card>
          }
        >
          {account.state === 'PENDING' && <Notice>{words.pendingLead}</Notice>}
          {account.state === 'SUSPENDED' && account.suspendedBy === 'OPERATOR' && (
            <Notice tone="bad">{words.byOperator}</Notice>
          )}
          <Balances balances={balance.data?.data ?? []} />
          {may('wallets:read') && <SubAccountGrants account={account} />}
          <SubAccountKeys account={account} />
        </Beside>
      )}
    </RecordPage>
  )
}

/** Gives money to the sub-account, in the states in which it may receive some. */
function Pay({ account }: { readonly account: SubAccount }) {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  if (!may('wallets:write') || (account.state !== 'PENDING' && account.state !== 'ACTIVE')) return null
  return (
    <DialogButton dialog={(onClose) => <SubAccountTransfer account={account} onClose={onClose} />}>
      {words.pay}
    </DialogButton>
  )
}

function Balances({ balances }: { readonly balances: readonly CurrencyBalance[] }) {
  const words = useWords(subAccountWords)
  return (
    <Card title={words.balances}>
      <div className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {balances.map(({ currency, balance, pendingBalance, heldBalance, owed, owedToParent = 0 }) => (
          <div key={currency} role="group" aria-label={currency}>
            <h3 className="text-13 font-strong">{currency}</h3>
            <Definitions
              items={[
                [words.available, sumsIn(currency)(balance)],
                [words.pending, sumsIn(currency)(pendingBalance)],
                [words.held, sumsIn(currency)(heldBalance)],
                BigInt(owed) > 0n && [words.owed, sumsIn(currency)(owed)],
                BigInt(owedToParent) > 0n && [
                  words.owedToParent,
                  <Money minor={owedToParent} currency={currency} className="text-bad" />,
                ],
              ]}
            />
          </div>
        ))}
      </div>
    </Card>
  )
}

const stateAfter = { suspend: 'SUSPENDED', resume: 'PENDING', close: 'CLOSED' } as const
type StateAction = keyof typeof stateAfter

/** What the parent may do with the state. To activate is the operator's, and so is to end a suspension of the operator's. */
function StateActions({ account }: { readonly account: SubAccount }) {
  const words = useWords(subAccountWords)
  const { may } = useMerchant()
  const { id, name, state, suspendedBy } = account
  if (!may('subaccounts:write') || state === 'CLOSED') return null
  const button = (action: StateAction) => (
    <ActionButton
      opener={given({ icon: action === 'resume' ? ('play' as const) : undefined })}
      call="changeSubAccount"
      id={id}
      body={() => ({ state: stateAfter[action] })}
      title={`${words[action]}: ${name}`}
      lead={words[`${action}Lead`]}
      act={words[action]}
      isDanger={action !== 'resume'}
      done={words[`${action}Done`]}
    />
  )
  return (
    <>
      {button('close')}
      {state !== 'SUSPENDED' && button('suspend')}
      {state === 'SUSPENDED' && suspendedBy === 'PARENT' && button('resume')}
    </>
  )
}

// The API keys of a sub-account, and a new one for it.

function SubAccountKeys({ account }: { readonly account: SubAccount }) {
  const words = useWords(subAccountWords)
  const keys = useWords(keyWords)
  const { may } = useMerchant()
  const records = useRecords('listSubAccountKeys', { id: account.id })
  const canMake = may('subaccounts:write') && account.state !== 'CLOSED'
  return (
    <RecordList
      records={records}
      words={{ title: words.keys, none: words.keysNone }}
      icon="key"
      title={words.keys}
      action={
        canMake && (
          <DialogButton dialog={(onClose) => <KeyDialog account={account} onClose={onClose} />}>
            {words.keyAdd}
          </DialogButton>
        )
      }
      columns={[
        { header: keys.name, text: 'name', grow: true, className: 'font-strong' },
        {
          header: keys.key,
          phone: 'none',
          cell: ({ lastFour }) => <span className="font-mono text-ink-soft">…{lastFour}</span>,
        },
        { header: keys.status, cell: (key) => <KeyState apiKey={key} /> },
        { header: keys.lastUsed, time: 'lastUsedAt', none: keys.never, from: 'sm', isNamed: true },
      ]}
    />
  )
}

function KeyDialog({ account, onClose }: { readonly account: SubAccount; readonly onClose: () => void }) {
  const words = useWords(subAccountWords)
  const { may } = useMerchant()
  // A sub-account has no sub-accounts of its own.
  const offered = allScopes.filter((scope) => may(scope) && !scope.startsWith('subaccounts:'))
  const draft = useDraft({
    name: '',
    scopes: offered.filter((scope) => scope === 'wallets:read') as readonly Scope[],
  })
  const name = draft.values.name.trim()
  const { scopes } = draft.values
  const [made, setMade] = useState<NewApiKey>()
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />
  return (
    <ActionDialog
      call="createSubAccountKey"
      id={account.id}
      title={words.keyAdd}
      lead={words.keyLead}
      act={words.keyAdd}
      draft={draft}
      fields={[
        {
          name: 'name',
          label: words.keyName,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          wrong: name === '' && words.nameWrong,
        },
        {
          at: 'scopes',
          wrong: scopes.length === 0 && words.keyRights,
          field: (fault) => (
            <ScopePicker
              offered={offered}
              value={scopes}
              onChange={(rights) => draft.put({ scopes: rights })}
              fault={fault}
            />
          ),
        },
      ]}
      body={() => ({ name, scopes })}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}
