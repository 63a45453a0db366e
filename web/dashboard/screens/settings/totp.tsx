import { useState, type FormEvent } from 'react'
import { codeOf } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { useUserMutation } from '../../api/user-mutation.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { Card } from '../../kit/page.tsx'
import { QrCode } from '../../kit/qr.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { CodesDialog } from './recovery-codes.tsx'

type Enrolment = { readonly secret: string; readonly uri: string }

/** The authenticator app: turn it on with a first code, turn it off. */
export function TotpCard() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  const mutation = useUserMutation([])
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isRemoving, setRemoving] = useState(false)
  const begin = async () => {
    const made = await mutation.run<Enrolment>('POST', '/me/totp')
    if (made !== undefined && made !== null) setEnrolment(made)
  }
  return (
    <Card
      title={words.totp}
      action={
        factors.hasTotp ? (
          <Button variant="danger" onClick={() => setRemoving(true)}>
            {words.totpRemove}
          </Button>
        ) : (
          <Button icon="plus" busy={mutation.isBusy} onClick={() => void begin()}>
            {words.totpAdd}
          </Button>
        )
      }
    >
      <p className="mb-3 text-13 text-ink-soft">{words.totpLead}</p>
      <Badge tone={factors.hasTotp ? 'good' : 'calm'}>{factors.hasTotp ? words.totpOn : words.totpOff}</Badge>
      <FormFault error={mutation.error} />
      {enrolment !== undefined && (
        <EnrolDialog
          enrolment={enrolment}
          onClose={() => setEnrolment(undefined)}
          onDone={(given) => {
            setEnrolment(undefined)
            setCodes(given)
          }}
        />
      )}
      {codes !== undefined && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      {isRemoving && <RemoveDialog onClose={() => setRemoving(false)} />}
    </Card>
  )
}

function EnrolDialog({
  enrolment,
  onClose,
  onDone,
}: {
  readonly enrolment: Enrolment
  readonly onClose: () => void
  readonly onDone: (codes: readonly string[]) => void
}) {
  const words = useWords(settingsWords)
  const mutation = useUserMutation(['session'])
  const [code, setCode] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await mutation.run<{ recoveryCodes: readonly string[] }>('POST', '/me/totp/confirm', {
      code: code.replaceAll(/\s/g, ''),
    })
    if (answer !== undefined && answer !== null) onDone(answer.recoveryCodes)
  }
  // What is no six digits is refused by its form.
  const isWrong = ['sign_in_refused', 'invalid_request'].includes(codeOf(mutation.error) ?? '')
  return (
    <Dialog open onClose={onClose} title={words.totpScan} lead={words.totpScanLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <QrCode text={enrolment.uri} label={words.totpQr} />
        <div className="text-center text-13 text-ink-soft">
          <p>{words.totpSecret}</p>
          <Code value={enrolment.secret} what={words.totpSecret} keep={20} />
        </div>
        <TextField
          label={words.totpCode}
          value={code}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          className="figures text-20! tracking-[0.3em]"
          onChange={(event) => setCode(event.target.value)}
          fault={isWrong ? words.totpWrong : undefined}
        />
        {!isWrong && <FormFault error={mutation.error} />}
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={mutation.isBusy}>
            {words.totpConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(settingsWords)
  const mutation = useUserMutation(['session'])
  const remove = async () => {
    if ((await mutation.run('DELETE', '/me/totp')) === undefined) return
    toast(words.removed)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.totpRemoveTitle} lead={words.totpRemoveLead}>
      <FormFault error={mutation.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={mutation.isBusy} onClick={() => void remove()}>
          {words.totpRemove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
