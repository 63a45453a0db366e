// The transfer grants of a sub-account: its people let its parent take money from its wallets, and end that.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { TransferGrant } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { walletCurrencies } from '../../api/wallets.ts'
import { Button } from '../../kit/button.tsx'
import { startOfDay } from '../../kit/days.ts'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { oneOf, SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { GrantList } from '../sub-accounts/grants.tsx'
import { SettingsFrame } from './frame.tsx'

export function Grants() {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  const [isGiving, setGiving] = useState(false)
  const [revoking, setRevoking] = useState<TransferGrant>()
  const mayDecide = may('withdrawals:write')
  return (
    <SettingsFrame isWide>
      <GrantList
        lead={words.ownLead}
        none={words.ownNone}
        action={
          mayDecide && (
            <Button variant="primary" icon="plus" onClick={() => setGiving(true)}>
              {words.give}
            </Button>
          )
        }
        actionOf={(grant) =>
          mayDecide &&
          grant.status === 'ACTIVE' && <Button onClick={() => setRevoking(grant)}>{words.revoke}</Button>
        }
      />
      {isGiving && <GiveDialog onClose={() => setGiving(false)} />}
      {revoking !== undefined && <RevokeDialog grant={revoking} onClose={() => setRevoking(undefined)} />}
    </SettingsFrame>
  )
}

function GiveDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(grantWords)
  const { locale, timeZone } = useReader()
  const act = useAct()
  const [draft, setDraft] = useState({
    currency: walletCurrencies[0] as (typeof walletCurrencies)[number],
    most: '',
    lastDay: '',
    description: '',
  })
  const [wasTried, setTried] = useState(false)
  const minor = draft.most.trim() === '' ? undefined : minorOf(draft.most, locale)
  const isAmountGood = draft.most.trim() === '' || (minor !== undefined && minor > 0n)
  const expiresAt = draft.lastDay === '' ? undefined : startOfDay(draft.lastDay, 1, timeZone)
  const isGood = isAmountGood && (minor !== undefined || expiresAt !== undefined)
  const change = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isGood) return
    const description = draft.description.trim()
    const { currency } = draft
    const body = { currency, maxAmount: minor, expiresAt, description: description || undefined }
    if (!(await act.send('createTransferGrant', { body }))) return
    toast(words.giveDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.give} lead={words.giveLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <SelectField
          label={words.currency}
          value={draft.currency}
          onChange={(event) => change({ currency: oneOf(walletCurrencies, event.target.value) })}
          options={walletCurrencies.map((value) => ({ value, label: value }))}
          fault={faultOf(act.error, 'currency')}
        />
        <AmountField
          label={words.most}
          currency={draft.currency}
          value={draft.most}
          autoFocus
          onChange={(event) => change({ most: event.target.value })}
          fault={wasTried && !isGood ? words.mostWrong : faultOf(act.error, 'maxAmount')}
        />
        <TextField
          label={words.lastDay}
          type="date"
          value={draft.lastDay}
          onChange={(event) => change({ lastDay: event.target.value })}
          fault={faultOf(act.error, 'expiresAt')}
        />
        <TextField
          label={words.description}
          value={draft.description}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => change({ description: event.target.value })}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.give}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RevokeDialog({ grant, onClose }: { readonly grant: TransferGrant; readonly onClose: () => void }) {
  const words = useWords(grantWords)
  const act = useAct()
  const revoke = async () => {
    if (!(await act.send('revokeTransferGrant', { id: grant.id }))) return
    toast(words.revokeDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.revokeTitle} lead={words.revokeLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void revoke()}>
          {words.revoke}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
