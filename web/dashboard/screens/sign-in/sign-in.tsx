// The way in: password and then a second factor, a passkey alone, or the one-time link that the address holds.
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { sandboxOwner } from '#/kernel/sandbox-owner.ts'
import { useAttempt } from '../../api/act.ts'
import { call } from '../../api/call.ts'
import type { FactorMethod, SignInStep } from '../../api/generated.ts'
import { askPasskey } from '../../api/passkey.ts'
import { codeOf, ProblemError } from '../../api/problem.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/copy.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { PasswordField, TextField } from '../../kit/field.tsx'
import { Notice } from '../../kit/page.tsx'
import { FactorForm } from '../../shell/factor-form.tsx'
import { useWords } from '../../words/reader.ts'
import { signInWords } from '../../words/sign-in.ts'
import { browserReader } from './browser-reader.ts'
import { DoorFrame } from './frame.tsx'

export function SignIn() {
  const words = useWords(signInWords)
  const [token] = useState(linkToken)
  const [methods, setMethods] = useState<readonly FactorMethod[]>()
  const enter = useEnter()
  const goOn = async (answer: SignInStep) => {
    if (answer.next === 'done') await enter()
    else setMethods(answer.methods ?? ['totp'])
  }
  if (token !== undefined) return <LinkOpener token={token} onDone={enter} />
  if (methods === undefined) return <Credentials onDone={goOn} />
  return (
    <DoorFrame title={words.second} lead={words.secondLead}>
      <FactorForm
        methods={methods}
        passkeyOptions={() => call('beginSecondFactor', {})}
        onProof={async (proof) => goOn(await call('giveSecondFactor', { body: proof }))}
      />
      <Button variant="quiet" icon="left" className="mt-3 w-full" onClick={() => setMethods(undefined)}>
        {words.back}
      </Button>
    </DoorFrame>
  )
}

function Credentials({ onDone }: { readonly onDone: (answer: SignInStep) => Promise<void> }) {
  const words = useWords(signInWords)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown; wasCanceled?: boolean }>({
    isBusy: false,
  })
  const attempt = async (send: () => Promise<SignInStep>) => {
    setState({ isBusy: true })
    try {
      await onDone(await send())
    } catch (error) {
      setState(
        error instanceof ProblemError ? { isBusy: false, error } : { isBusy: false, wasCanceled: true },
      )
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() =>
      call('signInWithPassword', { body: { email: email.trim(), password, ...browserReader() } }),
    )
  }
  const byPasskey = async () => {
    const response = await askPasskey(await call('beginPasskeySignIn', {}))
    return call('signInWithPasskey', { body: { response, ...browserReader() } })
  }
  const isWrong = codeOf(state.error) === 'sign_in_refused'
  return (
    <DoorFrame title={words.title} lead={words.lead}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={words.email}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label={words.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {isWrong ? <Notice tone="bad">{words.wrong}</Notice> : <FormFault error={state.error} />}
        {state.wasCanceled === true && <Notice>{words.passkeyCanceled}</Notice>}
        <Button type="submit" variant="primary" busy={state.isBusy} className="min-h-11">
          {words.enter}
        </Button>
      </form>
      <div className="my-4 flex items-center gap-3 text-13 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {words.or}
      </div>
      <Button
        icon="key"
        busy={state.isBusy}
        className="min-h-11 w-full"
        onClick={() => void attempt(byPasskey)}
      >
        {words.passkey}
      </Button>
      <Forgot email={email} />
    </DoorFrame>
  )
}

/** Opens the link by itself, once: the answer to a second try would be that it was used. */
function LinkOpener({ token, onDone }: { readonly token: string; readonly onDone: () => Promise<void> }) {
  const words = useWords(signInWords)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    opened.once ??= call('signInWithLink', { body: { token, ...browserReader() } })
    opened.once.then(onDone, setError)
    // The token does not change while the page is open, so the effect runs once.
  }, [token])
  if (error === undefined)
    return <DoorFrame title={words.title} lead={<span role="status">{words.opening}</span>} />
  if (codeOf(error) !== 'link_used' && (error instanceof ProblemError ? error.problem.status : 0) !== 410)
    return (
      <DoorFrame title={words.title}>
        <FormFault error={error} />
      </DoorFrame>
    )
  return (
    <DoorFrame title={words.linkUsed} lead={words.linkUsedLead}>
      <Button
        variant="primary"
        className="min-h-11 w-full"
        onClick={() => {
          window.location.assign('/sign-in')
        }}
      >
        {words.toSignIn}
      </Button>
    </DoorFrame>
  )
}

const opened: { once?: Promise<unknown> } = {}

/** The token of `#link=<token>`. It is taken out of the address, so that no one reads it over a shoulder or in the history. */
function linkToken(): string | undefined {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('link') ?? kept.token
  if (token === null || token === undefined) return undefined
  kept.token = token
  window.history.replaceState(window.history.state, '', '/sign-in')
  return token
}

const kept: { token?: string } = {}

/** Reads the new session and goes to where the user wanted to be. */
function useEnter(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { next }: { next?: string } = useSearch({ strict: false })
  return async () => {
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    // Only addresses of this dashboard: a link from outside must not lead elsewhere.
    const isOwn = next !== undefined && /^\/(?![/\\])/.test(next)
    await navigate({ href: isOwn ? next : '/', replace: true })
  }
}

// What to do without the password: ask for a link by mail where mail is sent, else ask a person.

function Forgot({ email: given }: { readonly email: string }) {
  const words = useWords(signInWords)
  const [isOpen, setOpen] = useState(false)
  const { data: site } = useQuery({
    queryKey: ['site'],
    queryFn: () => call('getSite', {}),
    staleTime: Infinity,
  })
  const isSandbox = site?.isSandboxHere === true
  if (isSandbox && !site.hasMail) return <SandboxLink email={given} />
  if (site?.hasMail !== true) return <p className="mt-5 text-13 text-ink-soft">{words.forgot}</p>
  if (isOpen) return <AskLink given={given} />
  return (
    <Button variant="quiet" className="mt-4 w-full" onClick={() => setOpen(true)}>
      {words.forgotLink}
    </Button>
  )
}

/** Who runs a sandbox has the terminal beside the browser. */
function SandboxLink({ email }: { readonly email: string }) {
  const words = useWords(signInWords)
  // Only what is an address for sure is put into a command that a person pastes.
  const whom = /^[\w.+-]+@[\w.-]+$/.test(email.trim()) ? email.trim() : sandboxOwner
  return (
    <div className="mt-5 flex flex-col gap-2 text-13">
      <p className="text-ink-soft">{words.sandboxLink}</p>
      <CodeBlock isCommand label={words.command} code={`./vintem user reset ${whom}`} />
    </div>
  )
}

function AskLink({ given }: { readonly given: string }) {
  const words = useWords(signInWords)
  const [email, setEmail] = useState(given)
  const [isSent, setSent] = useState(false)
  const { isBusy, error, attempt } = useAttempt()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSent(await attempt(() => call('askNewPassword', { body: { email: email.trim() } })))
  }
  if (isSent)
    return (
      <div className="mt-5" role="status">
        <Notice>{words.linkSent}</Notice>
      </div>
    )
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="mt-5 flex flex-col gap-3 border-t border-line pt-5"
    >
      <TextField
        label={words.forgotEmail}
        type="email"
        name="reset-email"
        autoComplete="email"
        required
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormFault error={error} />
      <Button type="submit" busy={isBusy} className="min-h-11">
        {words.sendLink}
      </Button>
    </form>
  )
}
