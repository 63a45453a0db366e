// The API keys of a sub-account, and a new one for it.
import { useState } from 'react'
import { scopes as allScopes } from '../../api/generated.ts'
import type { NewApiKey, Scope, SubAccount } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { MadeKey } from '../developers/key-form.tsx'
import { KeyState } from '../developers/keys.tsx'
import { ScopePicker } from '../developers/scopes.tsx'

export function SubAccountKeys({ account }: { readonly account: SubAccount }) {
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
