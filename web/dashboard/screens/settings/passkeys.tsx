import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { call, type Row } from '../../api/call.ts'
import { makePasskey, type BrowserObject } from '../../api/passkey.ts'
import { ProblemError } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { Fault, FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { CodesDialog } from './recovery-codes.tsx'

type Passkey = Row<'listPasskeys'>

/** The user's passkeys: add one, remove one. */
export function Passkeys() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => call('listPasskeys', {}),
  })
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <Card
      title={words.passkeys}
      action={
        <Button icon="plus" onClick={() => setAdding(true)}>
          {words.passkeyAdd}
        </Button>
      }
    >
      <p className="mb-2 text-13 text-ink-soft">{words.passkeysLead}</p>
      <LoadingLine isOn={data === undefined && error === null} />
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      {(data?.data.length ?? factors.passkeys) === 0 && <p className="py-2 text-13">{words.passkeyNone}</p>}
      <ul>
        {/* The session says how many there are before their names come: what is below does not move. */}
        {data === undefined &&
          Array.from({ length: factors.passkeys }, (_, index) => (
            <li key={index} aria-hidden="true" className="min-h-14 border-t border-line" />
          ))}
        {data?.data.map((passkey) => (
          <li key={passkey.id} className="flex min-h-14 items-center gap-3 border-t border-line py-2 text-13">
            <Icon name="key" className="text-ink-soft" />
            <div className="min-w-0 flex-1">
              <p className="truncate font-strong">{passkey.name}</p>
              <p className="text-ink-soft">
                {words.added} <Time at={passkey.createdAt} /> · {words.lastUsed}{' '}
                {passkey.lastUsedAt === null ? words.never : <Time at={passkey.lastUsedAt} />}
              </p>
            </div>
            <Button variant="danger" onClick={() => setRemoving(passkey)}>
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={(given) => {
            setAdding(false)
            setCodes(given)
          }}
        />
      )}
      {codes !== undefined && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      {removing !== undefined && <RemoveDialog passkey={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
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
  const [name, setName] = useState('')
  const [wasCanceled, setCanceled] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setCanceled(false)
    let response: BrowserObject
    try {
      response = await makePasskey(await call('beginPasskey', {}))
    } catch (error) {
      if (error instanceof ProblemError) act.setError(error)
      else setCanceled(true)
      return
    }
    const body = { name: name.trim(), response }
    const added = await act.ask('addPasskey', { body })
    if (added === undefined) return
    toast(words.passkeyAdded)
    onAdded(added.recoveryCodes)
  }
  return (
    <Dialog open onClose={onClose} title={words.passkeyAdd} lead={words.passkeysLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField
          label={words.passkeyName}
          help={words.passkeyNameHelp}
          value={name}
          required
          maxLength={60}
          autoFocus
          onChange={(event) => setName(event.target.value)}
          fault={wasCanceled ? words.passkeyCanceled : undefined}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.passkeyMake}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const words = useWords(settingsWords)
  const act = useAct(['passkeys', 'session'])
  const remove = async () => {
    if (!(await act.send('removePasskey', { id: passkey.id }))) return
    toast(words.removed)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.passkeyRemove(passkey.name)} lead={words.passkeyRemoveLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void remove()}>
          {words.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
