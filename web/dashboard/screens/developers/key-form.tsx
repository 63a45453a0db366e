// Makes a key, or changes one: name, scopes, networks; the end only of a new one.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import { scopes as allScopes, type ApiKey, type NewApiKey, type Scope } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/checks.tsx'
import { startOfDay } from '../../kit/days.ts'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField, type Wrong } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { keyWords } from '../../words/keys.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { MadeSecret } from './made-secret.tsx'
import { ScopePicker } from './scopes.tsx'

/** Of a key that works from everywhere. */
const everywhere = ['0.0.0.0/0', '::/0']
const network = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F:.]*:[\da-fA-F:.]*)(?:\/\d{1,3})?$/

/** Without `apiKey` it makes a new one. */
export function KeyForm({ apiKey, onClose }: { readonly apiKey?: ApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  const act = useAct()
  const form = useKeyValues(apiKey)
  const [made, setMade] = useState<NewApiKey>()
  const [wasTried, setTried] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!form.isGood) return
    if (apiKey === undefined) {
      setMade(await act.ask('createApiKey', { body: form.body }))
    } else if (await act.send('changeApiKey', { id: apiKey.id, body: form.body })) {
      toast(words.changed)
      onClose()
    }
  }
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={apiKey === undefined ? words.create : words.changeTitle}
      lead={apiKey === undefined ? words.lead : words.changeLead}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <KeyFields form={form} error={act.error} wasTried={wasTried} isNew={apiKey === undefined} />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {apiKey === undefined ? words.create : words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function KeyFields({
  form,
  error,
  wasTried,
  isNew,
}: {
  readonly form: ReturnType<typeof useKeyValues>
  readonly error: unknown
  readonly wasTried: boolean
  readonly isNew: boolean
}) {
  const words = useWords(keyWords)
  return (
    <>
      <TextField
        label={words.name}
        help={words.nameHelp}
        value={form.name}
        required
        maxLength={100}
        autoFocus
        autoComplete="off"
        onChange={(event) => form.setName(event.target.value)}
        fault={faultOf(error, 'name')}
      />
      <ScopePicker
        offered={form.offered}
        value={form.scopes}
        onChange={form.setScopes}
        fault={wasTried && form.scopes.length === 0 ? words.rightsNone : faultOf(error, 'scopes')}
      />
      {isNew && (
        <ExpiryField value={form.expiry} onChange={form.setExpiry} fault={faultOf(error, 'expiresAt')} />
      )}
      <TextArea
        label={words.networks}
        help={words.networksHelp}
        value={form.networks}
        onChange={(event) => form.setNetworks(event.target.value)}
        spellCheck={false}
        rows={2}
        className="font-mono text-13!"
        fault={wasTried && !form.areNetworksGood ? words.networksWrong : faultOf(error, 'allowedCidrs')}
      />
    </>
  )
}

/** A new key can have every scope of the member's role. An existing key can only lose scopes. */
function useKeyValues(apiKey: ApiKey | undefined) {
  const { may } = useMerchant()
  const expiryOf = useExpiry()
  const offered = apiKey?.scopes ?? allScopes.filter((scope) => may(scope))
  const [name, setName] = useState(apiKey?.name ?? '')
  const [scopes, setScopes] = useState<readonly Scope[]>(
    apiKey?.scopes ?? offered.filter((scope) => scope.startsWith('payments:')),
  )
  const [networks, setNetworks] = useState((apiKey?.allowedCidrs ?? []).join('\n'))
  const [expiry, setExpiry] = useState<Expiry>(noExpiry)
  const lines = networks
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const areNetworksGood = lines.every((line) => network.test(line))
  const hadNetworks = apiKey?.allowedCidrs !== undefined
  const cidrs = lines.length > 0 ? lines : hadNetworks ? everywhere : undefined
  const expiresAt = expiryOf(expiry)
  const body = {
    name: name.trim(),
    scopes,
    ...(cidrs === undefined ? {} : { allowedCidrs: cidrs }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
  return {
    offered,
    name,
    setName,
    scopes,
    setScopes,
    networks,
    setNetworks,
    areNetworksGood,
    expiry,
    setExpiry,
    body,
    isGood: name.trim() !== '' && scopes.length > 0 && areNetworksGood,
  }
}

/** Shows a key that was just made. */
export function MadeKey({ made, onClose }: { readonly made: NewApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  return (
    <MadeSecret
      title={words.made}
      lead={words.madeLead}
      madeBefore={words.madeBefore}
      label={words.key}
      value={made.key}
      onClose={onClose}
    />
  )
}

// When a new key ends: never, after some days, or at the end of a day.

export type Expiry = { readonly after: string; readonly date: string }

const noExpiry: Expiry = { after: '', date: '' }

const dayMs = 86_400_000

/** The instant of a choice; undefined for no end. */
function useExpiry(): (expiry: Expiry) => string | undefined {
  const { timeZone } = useReader()
  return ({ after, date }) => {
    if (after === '') return undefined
    if (after === 'date') return startOfDay(date, 1, timeZone)
    // To the minute, so that the same form sent twice is the same request.
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    return new Date(minute + Number(after) * dayMs).toISOString()
  }
}

function ExpiryField({
  value,
  fault,
  onChange,
}: {
  readonly value: Expiry
  readonly fault: Wrong
  readonly onChange: (value: Expiry) => void
}) {
  const words = useWords(keyWords)
  const isDate = value.after === 'date'
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={words.expiry}
        value={value.after}
        onChange={(event) => onChange({ ...value, after: event.target.value })}
        fault={isDate ? undefined : fault}
        options={[
          { value: '', label: words.expiryNever },
          { value: '30', label: words.expiryDays(30) },
          { value: '90', label: words.expiryDays(90) },
          { value: '365', label: words.expiryYear },
          { value: 'date', label: words.expiryDate },
        ]}
      />
      {isDate && (
        <TextField
          label={words.expiryOn}
          type="date"
          required
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
          fault={fault}
        />
      )}
    </div>
  )
}
