// Opens a wallet.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { walletTypes, type WalletType } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { walletCurrencies } from '../../api/wallets.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { oneOf, SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'

export function CreateWalletDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(walletWords)
  const act = useAct()
  const [label, setLabel] = useState('')
  const [currency, setCurrency] = useState<(typeof walletCurrencies)[number]>('BRL')
  const [walletType, setType] = useState<WalletType>('SPENDABLE')
  const [wasTried, setTried] = useState(false)
  const name = label.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name === '') return
    if (!(await act.send('createWallet', { body: { label: name, currency, walletType } }))) return
    toast(words.created(name))
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.create} lead={words.createLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <TextField
          label={words.name}
          help={words.nameHelp}
          value={label}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
          fault={wasTried && name === '' ? words.nameWrong : faultOf(act.error, 'label')}
        />
        <SelectField
          label={words.currency}
          value={currency}
          onChange={(event) => setCurrency(oneOf(walletCurrencies, event.target.value))}
          options={walletCurrencies.map((value) => ({ value, label: value }))}
          fault={faultOf(act.error, 'currency')}
        />
        <RadioCards
          legend={words.type}
          value={walletType}
          onChange={setType}
          options={walletTypes.map((value) => ({
            value,
            label: words.types[value],
            help: words.typeHelp[value],
          }))}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.createDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
