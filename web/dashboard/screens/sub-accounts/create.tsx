// Makes a sub-account, and shows its webhook secret this once.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { NewSubAccount } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'

const blank = { name: '', taxId: '', reference: '' }

export function CreateSubAccountDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (account: NewSubAccount) => void
}) {
  const words = useWords(subAccountWords)
  const act = useAct()
  const [draft, setDraft] = useState(blank)
  const [wasTried, setTried] = useState(false)
  const [made, setMade] = useState<NewSubAccount>()
  const name = draft.name.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name === '') return
    const optional = Object.entries({ taxId: draft.taxId.trim(), reference: draft.reference.trim() })
    const body = { name, ...Object.fromEntries(optional.filter(([, value]) => value !== '')) }
    const account = await act.ask('createSubAccount', { body })
    if (account === undefined) return
    // The secret is absent when the same request had made it before.
    if (account.webhookSecret === undefined) onMade(account)
    else setMade(account)
  }
  if (made?.webhookSecret !== undefined)
    return (
      <SecretDialog
        title={words.secretTitle}
        lead={words.secretLead}
        label={words.secret}
        value={made.webhookSecret}
        onClose={() => onMade(made)}
      />
    )
  const field = (key: keyof typeof blank, label: string, maxLength: number, fault?: string) => (
    <TextField
      label={label}
      value={draft[key]}
      maxLength={maxLength}
      autoFocus={key === 'name'}
      autoComplete="off"
      onChange={(event) => setDraft({ ...draft, [key]: event.target.value })}
      fault={fault ?? faultOf(act.error, key)}
    />
  )
  return (
    <Dialog open onClose={onClose} title={words.add} lead={words.addLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        {field('name', words.name, 200, wasTried && name === '' ? words.nameWrong : undefined)}
        {field('taxId', words.taxId, 32)}
        {field('reference', words.reference, 100)}
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
