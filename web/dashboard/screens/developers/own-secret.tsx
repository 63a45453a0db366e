// The merchant's own webhook secret, for the addresses that payments name themselves: a new one, shown once.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Card } from '../../kit/page.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { useWords } from '../../words/reader.ts'
import { webhookWords } from '../../words/webhooks.ts'

export function OwnSecret() {
  const words = useWords(webhookWords)
  const { may } = useMerchant()
  const [isRolling, setRolling] = useState(false)
  return (
    <Card
      title={words.ownSecret}
      action={may('webhooks:write') && <Button onClick={() => setRolling(true)}>{words.roll}</Button>}
    >
      <p className="max-w-150 text-13 text-ink-soft">{words.ownSecretLead}</p>
      {isRolling && <Roll onClose={() => setRolling(false)} />}
    </Card>
  )
}

function Roll({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(webhookWords)
  const act = useAct()
  const [secret, setSecret] = useState<string>()
  const roll = async () => {
    const made = await act.ask('rollMerchantWebhookSecret', { body: {} })
    if (made !== undefined) setSecret(made.secret)
  }
  if (secret !== undefined)
    return (
      <SecretDialog
        title={words.ownSecret}
        lead={words.ownSecretLead}
        value={secret}
        label={words.secret}
        onClose={onClose}
      />
    )
  return (
    <Dialog open onClose={onClose} title={words.rollTitle} lead={words.ownRollLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="primary" busy={act.isBusy} onClick={() => void roll()}>
          {words.rollDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
