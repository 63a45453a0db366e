// The API keys of a sub-account, and a new one for it.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { scopes as allScopes } from '../../api/generated.ts'
import type { NewApiKey, Scope, SubAccount } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
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
  const [isMaking, setMaking] = useState(false)
  const records = useRecords('listSubAccountKeys', { id: account.id })
  const canMake = may('subaccounts:write') && account.state !== 'CLOSED'
  return (
    <>
      <RecordList
        records={records}
        words={{ title: words.keys, none: words.keysNone }}
        icon="key"
        title={words.keys}
        action={canMake && <Button onClick={() => setMaking(true)}>{words.keyAdd}</Button>}
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
      {isMaking && <KeyDialog account={account} onClose={() => setMaking(false)} />}
    </>
  )
}

function KeyDialog({ account, onClose }: { readonly account: SubAccount; readonly onClose: () => void }) {
  const words = useWords(subAccountWords)
  const { may } = useMerchant()
  const act = useAct()
  // A sub-account has no sub-accounts of its own.
  const offered = allScopes.filter((scope) => may(scope) && !scope.startsWith('subaccounts:'))
  const [name, setName] = useState('')
  const [rights, setRights] = useState<readonly Scope[]>(offered.filter((scope) => scope === 'wallets:read'))
  const [wasTried, setTried] = useState(false)
  const [made, setMade] = useState<NewApiKey>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || rights.length === 0) return
    const body = { name: name.trim(), scopes: rights }
    const key = await act.ask('createSubAccountKey', { id: account.id, body })
    if (key !== undefined) setMade(key)
  }
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={words.keyAdd} lead={words.keyLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <TextField
          label={words.keyName}
          value={name}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          fault={wasTried && name.trim() === '' ? words.nameWrong : faultOf(act.error, 'name')}
        />
        <ScopePicker
          offered={offered}
          value={rights}
          onChange={setRights}
          fault={wasTried && rights.length === 0 ? words.keyRights : faultOf(act.error, 'scopes')}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.keyAdd}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
