import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { Answer } from '../../api/call.ts'
import { codeOf } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { ActionButton, ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code, CopyAction } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { QrCode } from '../../kit/qr.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'

type Enrolment = Answer<'beginTotp'>

/** The authenticator app: turn it on with a first code, turn it off. */
export function TotpCard() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  const act = useAct([])
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = async () => {
    setEnrolment(await act.ask('beginTotp'))
  }
  return (
    <Card
      title={words.totp}
      action={
        factors.hasTotp ? (
          <ActionButton
            variant="danger"
            call="removeTotp"
            title={words.totpRemoveTitle}
            lead={words.totpRemoveLead}
            act={words.totpRemove}
            done={words.removed}
            changed={['session']}
          />
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
  const draft = useDraft({ code: '' })
  // What is no six digits is refused by its form.
  const isWrong = (error: unknown) => ['sign_in_refused', 'invalid_request'].includes(codeOf(error) ?? '')
  return (
    <ActionDialog
      call="confirmTotp"
      title={words.totpScan}
      lead={words.totpScanLead}
      act={words.totpConfirm}
      isChecked
      draft={draft}
      fields={[
        {
          name: 'code',
          label: words.totpCode,
          required: true,
          inputMode: 'numeric',
          autoComplete: 'one-time-code',
          className: 'figures text-20! tracking-[0.3em]',
          refused: (error) => (isWrong(error) ? words.totpWrong : undefined),
        },
      ]}
      refusal={(error) => (isWrong(error) ? <></> : undefined)}
      body={() => ({ code: draft.values.code.replaceAll(/\s/g, '') })}
      onAnswer={({ recoveryCodes }) => onDone(recoveryCodes)}
      changed={['session']}
      onClose={onClose}
    >
      <QrCode text={enrolment.uri} label={words.totpQr} />
      <div className="text-center text-13 text-ink-soft">
        <p>{words.totpSecret}</p>
        <Code value={enrolment.secret} what={words.totpSecret} keep={20} />
      </div>
    </ActionDialog>
  )
}

// The recovery codes that come with a user's first factor.

/** Shown once: closing it without keeping them is the user's choice, made with a button that says so. */
export function CodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) {
  const words = useWords(settingsWords)
  return (
    <Dialog open onClose={() => undefined} title={words.recovery} lead={words.recoveryLead}>
      <ul className="print-alone grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-line bg-code p-4 font-mono text-15">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="no-print flex flex-wrap gap-2">
        <CopyAction value={codes.join('\n')} label={words.recoveryCopy} />
        <Button icon="print" onClick={() => window.print()}>
          {words.recoveryPrint}
        </Button>
      </div>
      <Button variant="primary" className="no-print" onClick={onClose}>
        {words.recoveryDone}
      </Button>
    </Dialog>
  )
}
