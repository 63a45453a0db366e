// Renames a wallet, or makes it inactive or active again.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Wallet } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'

export function ChangeWalletDialog({
  wallet,
  onClose,
}: {
  readonly wallet: Wallet
  readonly onClose: () => void
}) {
  const words = useWords(walletWords)
  const act = useAct()
  const [label, setLabel] = useState(wallet.label)
  const [isActive, setActive] = useState(wallet.isActive)
  const name = label.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name === '') return
    const body = wallet.isDefault ? { label: name } : { label: name, isActive }
    if (!(await act.send('changeWallet', { id: wallet.id, body }))) return
    toast(words.changed)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.changeTitle}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <TextField
          label={words.name}
          help={words.nameHelp}
          value={label}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
          fault={name === '' ? words.nameWrong : faultOf(act.error, 'label')}
        />
        {wallet.isDefault ? (
          <p className="text-13 text-ink-soft">{words.activeDefault}</p>
        ) : (
          <label className="flex min-h-11 items-start gap-3 rounded-control border border-line px-3 py-2.5 text-13">
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-accent"
              checked={isActive}
              onChange={(event) => setActive(event.target.checked)}
            />
            <span>
              <span className="block font-strong">{words.active}</span>
              <span className="block text-ink-soft">{words.activeHelp}</span>
            </span>
          </label>
        )}
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.changeDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
