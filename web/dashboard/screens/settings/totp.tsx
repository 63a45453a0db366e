import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Answer } from '../../api/call.ts'
import { codeOf } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
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

type Enrolment = Answer<'beginTotp'>

/** The authenticator app: turn it on with a first code, turn it off. */
export function TotpCard() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  const act = useAct([])
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isRemoving, setRemoving] = useState(false)
  const begin = async () => {
    setEnrolment(await act.ask('beginTotp'))
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
          <Button icon="plus" busy={act.isBusy} onClick={() => void begin()}>
            {words.totpAdd}
          </Button>
        )
      }
    >
      <p className="mb-3 text-13 text-ink-soft">{words.totpLead}</p>
      <Badge tone={factors.hasTotp ? 'good' : 'calm'}>{factors.hasTotp ? words.totpOn : words.totpOff}</Badge>
      <FormFault error={act.error} />
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
  readonly onDone: (codes: readonly string[] | undefined) => void
}) {
  const words = useWords(settingsWords)
  const act = useAct(['session'])
  const [code, setCode] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await act.ask('confirmTotp', { body: { code: code.replaceAll(/\s/g, '') } })
    if (answer !== undefined) onDone(answer.recoveryCodes)
  }
  // What is no six digits is refused by its form.
  const isWrong = ['sign_in_refused', 'invalid_request'].includes(codeOf(act.error) ?? '')
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
        {!isWrong && <FormFault error={act.error} />}
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.totpConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(settingsWords)
  const act = useAct(['session'])
  const remove = async () => {
    if (!(await act.send('removeTotp'))) return
    toast(words.removed)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.totpRemoveTitle} lead={words.totpRemoveLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void remove()}>
          {words.totpRemove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
