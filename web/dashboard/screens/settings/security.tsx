// The user's own ways to sign in, and where the user is signed in.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { faultOf } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { PasswordField } from '../../kit/field.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { SettingsFrame } from './frame.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'
import { TotpCard } from './totp.tsx'

export function SecurityPage() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  return (
    <SettingsFrame>
      {factors.passkeys === 0 && !factors.hasTotp && <Notice>{words.noSecond}</Notice>}
      <Passkeys />
      <TotpCard />
      <PasswordCard />
      <Sessions />
    </SettingsFrame>
  )
}

/** Changes the password, or sets the first one. */
export function PasswordCard() {
  const words = useWords(settingsWords)
  const { factors, user } = useSession()
  const act = useAct(['session', 'sessions'])
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = factors.hasPassword ? { current, password } : { password }
    if (!(await act.send('changePassword', { body }))) return
    setCurrent('')
    setPassword('')
    toast(words.passwordSaved)
  }
  const currentFault = faultOf(act.error, 'current')
  const fault = faultOf(act.error, 'password')
  return (
    <Card title={words.password}>
      <p className="mb-3 text-13 text-ink-soft">
        {factors.hasPassword ? words.passwordLead : words.passwordSet}
      </p>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-96 flex-col gap-4">
        <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
        {factors.hasPassword && (
          <PasswordField
            label={words.passwordCurrent}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
            fault={currentFault}
          />
        )}
        <PasswordField
          label={words.passwordNew}
          help={words.passwordHelp}
          autoComplete="new-password"
          required
          minLength={12}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          fault={fault}
        />
        {currentFault === undefined && fault === undefined && <FormFault error={act.error} />}
        <Button type="submit" busy={act.isBusy} className="self-start">
          {factors.hasPassword ? words.passwordSave : words.passwordCreate}
        </Button>
      </form>
    </Card>
  )
}
