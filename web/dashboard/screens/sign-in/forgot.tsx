// What to do without the password: ask for a link by mail where mail is sent, else ask a person.
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useAttempt } from '../../api/attempt.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { Notice } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { signInWords } from '../../words/sign-in.ts'

export function Forgot({ email: given }: { readonly email: string }) {
  const words = useWords(signInWords)
  const [isOpen, setOpen] = useState(false)
  const { data: site } = useQuery({
    queryKey: ['site'],
    queryFn: () => call('getSite', {}),
    staleTime: Infinity,
  })
  if (site?.hasMail !== true) return <p className="mt-5 text-13 text-ink-soft">{words.forgot}</p>
  if (isOpen) return <AskLink given={given} />
  return (
    <Button variant="quiet" className="mt-4 w-full" onClick={() => setOpen(true)}>
      {words.forgotLink}
    </Button>
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
