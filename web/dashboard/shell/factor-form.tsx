// A second factor by any way that the user has: the app's code, a passkey, or a recovery code.
import { useState, type FormEvent } from 'react'
import type { FactorMethod } from '../api/generated.ts'
import { askPasskey, type BrowserObject } from '../api/passkey.ts'
import { codeOf, ProblemError } from '../api/problem.ts'
import { Button } from '../kit/button.tsx'
import { FormFault } from '../kit/fault.tsx'
import { TextField } from '../kit/field.tsx'
import { Notice } from '../kit/page.tsx'
import { factorWords } from '../words/factors.ts'
import { useWords } from '../words/reader.ts'

export type FactorProof =
  | { readonly totp: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: BrowserObject }

type Way = 'totp' | 'recovery_code'

export function FactorForm({
  methods,
  passkeyOptions,
  onProof,
}: {
  readonly methods: readonly FactorMethod[]
  readonly passkeyOptions: () => Promise<BrowserObject>
  /** Sends the proof. Rejects when it is refused. */
  readonly onProof: (proof: FactorProof) => Promise<void>
}) {
  const words = useWords(factorWords)
  const [way, setWay] = useState<Way>(methods.includes('totp') ? 'totp' : 'recovery_code')
  const [code, setCode] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown; wasCanceled?: boolean }>({
    isBusy: false,
  })
  const hasCodes = methods.includes('totp') || methods.includes('recovery_code')
  const attempt = async (make: () => Promise<FactorProof>) => {
    setState({ isBusy: true })
    try {
      await onProof(await make())
      setState({ isBusy: false })
    } catch (error) {
      setState(
        error instanceof ProblemError ? { isBusy: false, error } : { isBusy: false, wasCanceled: true },
      )
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = code.trim()
    void attempt(() =>
      Promise.resolve(way === 'totp' ? { totp: text.replaceAll(/\s/g, '') } : { recoveryCode: text }),
    )
  }
  const isWrong = codeOf(state.error) === 'sign_in_refused'
  const changeWay = (next: Way) => {
    setWay(next)
    setCode('')
    setState({ isBusy: false })
  }
  const other = way === 'totp' ? 'recovery_code' : 'totp'
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {hasCodes && <CodeField key={way} way={way} code={code} isWrong={isWrong} onChange={setCode} />}
      {state.error !== undefined && !isWrong && <FormFault error={state.error} />}
      {state.wasCanceled === true && <Notice>{words.canceled}</Notice>}
      {hasCodes && (
        <Button type="submit" variant="primary" busy={state.isBusy} className="min-h-11">
          {words.confirm}
        </Button>
      )}
      {methods.includes('passkey') && (
        <Button
          variant={hasCodes ? 'plain' : 'primary'}
          icon="key"
          busy={state.isBusy}
          className="min-h-11"
          onClick={() => void attempt(async () => ({ passkey: await askPasskey(await passkeyOptions()) }))}
        >
          {words.usePasskey}
        </Button>
      )}
      {methods.includes('totp') && methods.includes('recovery_code') && (
        <Button variant="quiet" onClick={() => changeWay(other)}>
          {other === 'totp' ? words.useTotp : words.useRecovery}
        </Button>
      )}
    </form>
  )
}

function CodeField({
  way,
  code,
  isWrong,
  onChange,
}: {
  readonly way: Way
  readonly code: string
  readonly isWrong: boolean
  readonly onChange: (code: string) => void
}) {
  const words = useWords(factorWords)
  const isTotp = way === 'totp'
  return (
    <TextField
      label={isTotp ? words.code : words.recovery}
      help={isTotp ? words.codeHelp : words.recoveryHelp}
      fault={isWrong ? words.wrong : undefined}
      value={code}
      onChange={(event) => onChange(event.target.value)}
      autoFocus
      required
      autoComplete={isTotp ? 'one-time-code' : 'off'}
      inputMode={isTotp ? 'numeric' : 'text'}
      spellCheck={false}
      className={isTotp ? 'figures text-20! tracking-[0.3em]' : 'font-mono'}
    />
  )
}
