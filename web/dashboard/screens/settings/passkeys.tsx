import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { call, type Row } from '../../api/call.ts'
import { makePasskey, type BrowserObject } from '../../api/passkey.ts'
import { ProblemError } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { Button } from '../../kit/button.tsx'
import { FormDialog, useDraft } from '../../kit/form.tsx'
import { Icon } from '../../kit/icons.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
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
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => call('listPasskeys', {}),
  })
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const rows = data?.data
  return (
    <>
      <RecordList
        records={recordsOf({ error, isLoading, refetch }, rows)}
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
        {/* The session says how many there are before their names come: what is below does not move. */}
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
        isDanger
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
