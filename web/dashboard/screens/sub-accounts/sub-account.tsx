// One sub-account: its state, what its wallets hold, what it owes, and its keys.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useParam } from '../../api/address.ts'
import type { CurrencyBalance, SubAccount } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault, LoadingOrFault } from '../../kit/fault.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Definitions, Notice, PageHeader } from '../../kit/page.tsx'
import { NameTitle, RecordId } from '../../kit/record-head.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { SubAccountGrants } from './grants.tsx'
import { SubAccountKeys } from './keys.tsx'
import { SubAccountBadge } from './list.tsx'
import { SubAccountTransfer } from './transfer.tsx'

export function SubAccountPage() {
  const words = useWords(subAccountWords)
  const { id: merchantId, may } = useMerchant()
  const id = useParam('subAccountId')
  const { data: account, error, refetch } = useRead('getSubAccount', { id })
  const balance = useBalance(id)
  const back = { to: `/m/${merchantId}/sub-accounts`, label: words.title }
  const failed = error ?? balance.error
  if (account === undefined || balance.data === undefined)
    return (
      <>
        <PageHeader title={words.one} back={back} />
        <LoadingOrFault error={failed} onRetry={() => void Promise.all([refetch(), balance.refetch()])} />
      </>
    )
  return (
    <>
      <PageHeader
        back={back}
        titleText={account.name}
        title={
          <NameTitle name={account.name}>
            <SubAccountBadge state={account.state} />
          </NameTitle>
        }
        lead={<RecordId value={account.id} what={words.one} />}
        actions={
          <>
            <Pay account={account} />
            <StateActions account={account} />
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          {account.state === 'PENDING' && <Notice>{words.pendingLead}</Notice>}
          {account.state === 'SUSPENDED' && account.suspendedBy === 'OPERATOR' && (
            <Notice tone="bad">{words.byOperator}</Notice>
          )}
          <Balances balances={balance.data.data} />
          {may('wallets:read') && <SubAccountGrants account={account} />}
          <SubAccountKeys account={account} />
        </div>
        <Card title={words.facts}>
          <Definitions
            items={[
              account.taxId !== undefined && [words.tax, account.taxId],
              account.reference !== undefined && [words.referenceShort, account.reference],
              [words.createdAt, <Time key="created" at={account.createdAt} />],
              account.activatedAt !== undefined && [
                words.activatedAt,
                <Time key="activated" at={account.activatedAt} />,
              ],
            ]}
          />
        </Card>
      </div>
    </>
  )
}

/** Gives money to the sub-account, in the states in which it may receive some. */
function Pay({ account }: { readonly account: SubAccount }) {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  const [isPaying, setPaying] = useState(false)
  if (!may('wallets:write') || (account.state !== 'PENDING' && account.state !== 'ACTIVE')) return null
  return (
    <>
      <Button onClick={() => setPaying(true)}>{words.pay}</Button>
      {isPaying && <SubAccountTransfer account={account} onClose={() => setPaying(false)} />}
    </>
  )
}

function useBalance(id: string) {
  return useRead('getSubAccountBalance', { id })
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
                [words.available, <Money key="has" minor={balance} currency={currency} />],
                [words.pending, <Money key="pending" minor={pendingBalance} currency={currency} />],
                [words.held, <Money key="held" minor={heldBalance} currency={currency} />],
                BigInt(owed) > 0n && [words.owed, <Money key="owed" minor={owed} currency={currency} />],
                BigInt(owedToParent) > 0n && [
                  words.owedToParent,
                  <Money key="parent" minor={owedToParent} currency={currency} className="text-bad" />,
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
  const [action, setAction] = useState<StateAction>()
  const { state, suspendedBy } = account
  if (!may('subaccounts:write') || state === 'CLOSED') return null
  return (
    <>
      <Button onClick={() => setAction('close')}>{words.close}</Button>
      {state !== 'SUSPENDED' && <Button onClick={() => setAction('suspend')}>{words.suspend}</Button>}
      {state === 'SUSPENDED' && suspendedBy === 'PARENT' && (
        <Button icon="play" onClick={() => setAction('resume')}>
          {words.resume}
        </Button>
      )}
      {action !== undefined && (
        <StateDialog account={account} action={action} onClose={() => setAction(undefined)} />
      )}
    </>
  )
}

function StateDialog({
  account,
  action,
  onClose,
}: {
  readonly account: SubAccount
  readonly action: StateAction
  readonly onClose: () => void
}) {
  const words = useWords(subAccountWords)
  const act = useAct()
  const change = async () => {
    if (!(await act.send('changeSubAccount', { id: account.id, body: { state: stateAfter[action] } }))) return
    toast(words[`${action}Done`])
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`${words[action]}: ${account.name}`} lead={words[`${action}Lead`]}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button
          variant={action === 'resume' ? 'primary' : 'danger'}
          busy={act.isBusy}
          onClick={() => void change()}
        >
          {words[action]}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
