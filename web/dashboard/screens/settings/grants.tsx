// The transfer grants of a sub-account: its people let its parent take money from its wallets, and end that.
import { useState, type FormEvent } from 'react'
import { useMerchantMutation } from '../../api/merchant-mutation.ts'
import { faultOf } from '../../api/problem.ts'
import { usePages } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import type { TransferGrant } from '../../api/sub-accounts.ts'
import { walletCurrencies } from '../../api/wallets.ts'
import { Button } from '../../kit/button.tsx'
import { startOfDay } from '../../kit/days.ts'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { Card } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { GrantTable } from '../sub-accounts/grant-table.tsx'
import { SettingsFrame } from './frame.tsx'

export function Grants() {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  const list = usePages<TransferGrant>('transfer-grants', 'transfer-grants')
  const [isGiving, setGiving] = useState(false)
  const [revoking, setRevoking] = useState<TransferGrant>()
  const mayDecide = may('withdrawals:write')
  return (
    <SettingsFrame isWide>
      <Card
        title={words.title}
        flush
        action={
          mayDecide && (
            <Button variant="primary" icon="plus" onClick={() => setGiving(true)}>
              {words.give}
            </Button>
          )
        }
      >
        <p className="px-4 pb-3 text-13 text-ink-soft">{words.ownLead}</p>
        <GrantTable
          list={list}
          empty={words.ownNone}
          actionOf={(grant) =>
            mayDecide &&
            grant.status === 'ACTIVE' && <Button onClick={() => setRevoking(grant)}>{words.revoke}</Button>
          }
        />
      </Card>
      {isGiving && <GiveDialog onClose={() => setGiving(false)} />}
      {revoking !== undefined && <RevokeDialog grant={revoking} onClose={() => setRevoking(undefined)} />}
    </SettingsFrame>
  )
}

function GiveDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(grantWords)
  const { locale, timeZone } = useReader()
  const mutation = useMerchantMutation()
  const [draft, setDraft] = useState({ currency: 'BRL', most: '', lastDay: '', description: '' })
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
    const body = {
      currency: draft.currency,
      ...(minor === undefined ? {} : { maxAmount: minor }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(description === '' ? {} : { description }),
    }
    if (!(await mutation.send('transfer-grants', body))) return
    toast(words.giveDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.give} lead={words.giveLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <SelectField
          label={words.currency}
          value={draft.currency}
          onChange={(event) => change({ currency: event.target.value })}
          options={walletCurrencies.map((value) => ({ value, label: value }))}
          fault={faultOf(mutation.error, 'currency')}
        />
        <AmountField
          label={words.most}
          currency={draft.currency}
          value={draft.most}
          autoFocus
          onChange={(event) => change({ most: event.target.value })}
          fault={wasTried && !isGood ? words.mostWrong : faultOf(mutation.error, 'maxAmount')}
        />
        <TextField
          label={words.lastDay}
          type="date"
          value={draft.lastDay}
          onChange={(event) => change({ lastDay: event.target.value })}
          fault={faultOf(mutation.error, 'expiresAt')}
        />
        <TextField
          label={words.description}
          value={draft.description}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => change({ description: event.target.value })}
        />
        <FormFault error={mutation.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={mutation.isBusy}>
            {words.give}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RevokeDialog({ grant, onClose }: { readonly grant: TransferGrant; readonly onClose: () => void }) {
  const words = useWords(grantWords)
  const mutation = useMerchantMutation()
  const revoke = async () => {
    if (!(await mutation.send(`transfer-grants/${grant.id}/revoke`, {}))) return
    toast(words.revokeDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.revokeTitle} lead={words.revokeLead}>
      <FormFault error={mutation.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={mutation.isBusy} onClick={() => void revoke()}>
          {words.revoke}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
