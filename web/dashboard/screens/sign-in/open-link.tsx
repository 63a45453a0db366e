// An invitation, or the reset of a password: `/open#<token>`.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useAttempt } from '../../api/act.ts'
import { call, type Answer } from '../../api/call.ts'
import { faultOf } from '../../api/problem.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { PasswordField, TextField } from '../../kit/field.tsx'
import { Loading } from '../../kit/loading.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { signInWords } from '../../words/sign-in.ts'
import { browserReader } from './browser-reader.ts'
import { DoorFrame } from './frame.tsx'

type Opened = Answer<'openLink'>

export function OpenLink() {
  const words = useWords(signInWords)
  const [token] = useState(() => window.location.hash.slice(1))
  const { data, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => call('openLink', { body: { token } }),
    retry: false,
    staleTime: Infinity,
  })
  if (error !== null)
    return (
      <DoorFrame title={words.openUsed} lead={words.openUsedLead}>
        <div className="flex flex-col">
          <ButtonLink to="/sign-in">{words.toSignIn}</ButtonLink>
        </div>
      </DoorFrame>
    )
  return data === undefined ? <Loading /> : <Accept token={token} link={data} />
}

function Accept({ token, link }: { readonly token: string; readonly link: Opened }) {
  const words = useWords(signInWords)
  const client = useQueryClient()
  const navigate = useNavigate()
  const isInvitation = link.kind === 'INVITATION'
  // A person who has a user joins without a password.
  const isJoining = isInvitation && link.hasUser
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { isBusy, error, attempt } = useAttempt()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const chosen = { password, ...browserReader(), ...(isInvitation ? { name: name.trim() } : {}) }
      const body = isJoining ? { token } : { token, ...chosen }
      await call('acceptLink', { body })
      const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
      if (session === null) toast(words.accepted)
      await navigate({ to: session === null ? '/sign-in' : '/', replace: true })
    })
  }
  return (
    <DoorFrame
      title={isInvitation ? words.invitation : words.reset}
      lead={
        isInvitation
          ? (isJoining ? words.joinLead : words.invitationLead)(link.email, link.merchantName ?? 'Vintem')
          : words.resetLead(link.email)
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {/* Password managers keep the password under this name. */}
        <input type="email" name="email" autoComplete="username" value={link.email} readOnly hidden />
        {isInvitation && !isJoining && (
          <TextField
            label={words.name}
            name="name"
            autoComplete="name"
            required
            autoFocus
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.target.value)}
            fault={faultOf(error, 'name')}
          />
        )}
        {!isJoining && (
          <PasswordField
            label={words.newPassword}
            help={words.passwordHelp}
            name="password"
            autoComplete="new-password"
            required
            minLength={12}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            fault={faultOf(error, 'password')}
          />
        )}
        {faultOf(error, 'password') === undefined && <FormFault error={error} />}
        <Button type="submit" variant="primary" busy={isBusy} className="min-h-11">
          {isJoining ? words.join : isInvitation ? words.accept : words.save}
        </Button>
      </form>
    </DoorFrame>
  )
}
