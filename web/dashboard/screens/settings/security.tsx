// The user's own ways to sign in, and where the user is signed in.
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { call, type Row } from '../../api/call.ts'
import { makePasskey, type BrowserObject } from '../../api/passkey.ts'
import { faultOf, ProblemError } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { PasswordField } from '../../kit/field.tsx'
import { FormDialog, useDraft } from '../../kit/form.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { SettingsFrame } from './frame.tsx'
import { TotpCard, CodesDialog } from './totp.tsx'

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

/** Where the user is signed in. */
function Sessions() {
  const words = useWords(settingsWords)
  const act = useAct(['sessions'])
  const read = useQuery({ queryKey: ['sessions'], queryFn: () => call('listSessions', {}) })
  const end = async (id: string) => {
    if (await act.send('endSession', { id })) toast(words.sessionEnded)
  }
  return (
    <RecordList
      records={recordsOf(read, read.data?.data)}
      words={{ title: words.sessions, none: '' }}
      title={words.sessions}
      line={({ id, userAgent, address, seenAt, createdAt, isCurrent }) => (
        <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-13">
          <Icon name="device" className="text-ink-soft" />
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-strong">{browserOf(userAgent) ?? words.sessionUnknown}</p>
            <p className="text-ink-soft">
              {address !== undefined && address !== null && <span className="figures">{address} · </span>}
              <Time at={seenAt} /> · {words.sessionSince} <Time at={createdAt} />
            </p>
          </div>
          {isCurrent ? (
            <Badge tone="good">{words.sessionHere}</Badge>
          ) : (
            <Button variant="danger" busy={act.isBusy} onClick={() => void end(id)}>
              {words.sessionEnd}
            </Button>
          )}
        </li>
      )}
    >
      <p className="px-4 py-3 text-13 text-ink-soft">{words.sessionsLead}</p>
      {act.error !== undefined && (
        <div className="px-4 pb-3">
          <FormFault error={act.error} />
        </div>
      )}
    </RecordList>
  )
}

/** Such as "Firefox, Linux": enough for users to recognise their device. */
function browserOf(userAgent: string | null | undefined): string | undefined {
  const text = userAgent ?? ''
  const browser = [
    ['Edge', /Edg\//],
    ['Firefox', /Firefox\//],
    ['Chrome', /Chrome\//],
    ['Safari', /Safari\//],
  ].find(([, pattern]) => (pattern as RegExp).test(text))?.[0] as string | undefined
  const system = /iPhone|iPad|Android|Windows|Mac OS X|Linux/.exec(text)?.[0]?.replace('Mac OS X', 'macOS')
  return [browser, system].filter((each) => each !== undefined).join(', ') || undefined
}

type Passkey = Row<'listPasskeys'>

/** The user's passkeys: add one, remove one. */
function Passkeys() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => call('listPasskeys', {}),
  })
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  // The session says how many there are before their names come: what is below does not move.
  const rows = data?.data ?? (factors.passkeys === 0 && error === null ? [] : undefined)
  return (
    <>
      <RecordList
        records={recordsOf({ error, isLoading: isLoading && rows === undefined, refetch }, rows)}
        words={{ title: words.passkeys, none: words.passkeyNone }}
        title={words.passkeys}
        action={
          <Button icon="plus" onClick={() => setAdding(true)}>
            {words.passkeyAdd}
          </Button>
        }
        line={(passkey) => <PasskeyLine passkey={passkey} />}
      >
        <p className="px-4 py-3 text-13 text-ink-soft">{words.passkeysLead}</p>
        {rows === undefined &&
          error === null &&
          Array.from({ length: factors.passkeys }, (_, index) => (
            <div key={index} aria-hidden="true" className="min-h-14 border-t border-line" />
          ))}
      </RecordList>
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={(recoveryCodes) => {
            setAdding(false)
            setCodes(recoveryCodes)
          }}
        />
      )}
      {codes !== undefined && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  )
}

function PasskeyLine({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  const words = useWords(settingsWords)
  return (
    <li className="flex min-h-14 items-center gap-3 border-t border-line px-4 py-2 text-13">
      <Icon name="key" className="text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-strong">{name}</p>
        <p className="text-ink-soft">
          {words.added} <Time at={createdAt} /> · {words.lastUsed}{' '}
          {lastUsedAt === null ? words.never : <Time at={lastUsedAt} />}
        </p>
      </div>
      <ActionButton
        variant="danger"
        call="removePasskey"
        id={id}
        title={words.passkeyRemove(name)}
        lead={words.passkeyRemoveLead}
        act={words.remove}
        done={words.removed}
        changed={['passkeys', 'session']}
      />
    </li>
  )
}

/** `onAdded`: with the recovery codes, when it is the user's first factor. They are shown this once. */
function AddDialog({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void
  readonly onAdded: (recoveryCodes: readonly string[] | undefined) => void
}) {
  const words = useWords(settingsWords)
  const act = useAct(['passkeys', 'session'])
  const draft = useDraft({ name: '' })
  const [wasCanceled, setCanceled] = useState(false)
  const add = async () => {
    setCanceled(false)
    let response: BrowserObject
    try {
      response = await makePasskey(await call('beginPasskey', {}))
    } catch (error) {
      if (error instanceof ProblemError) act.setError(error)
      else setCanceled(true)
      return
    }
    const body = { name: draft.values.name.trim(), response }
    const added = await act.ask('addPasskey', { body })
    if (added === undefined) return
    toast(words.passkeyAdded)
    onAdded(added.recoveryCodes)
  }
  return (
    <FormDialog
      title={words.passkeyAdd}
      lead={words.passkeysLead}
      act={words.passkeyMake}
      isChecked
      draft={draft}
      fields={[
        {
          name: 'name',
          label: words.passkeyName,
          help: words.passkeyNameHelp,
          required: true,
          maxLength: 60,
          autoFocus: true,
          refused: wasCanceled ? words.passkeyCanceled : undefined,
        },
      ]}
      error={act.error}
      isBusy={act.isBusy}
      onSend={add}
      onClose={onClose}
    />
  )
}
