// Makes a key, or changes one: name, scopes, networks; the end only of a new one.
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import { scopes as allScopes, type ApiKey, type NewApiKey, type Scope } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { startOfDay } from '../../kit/days.ts'
import { useDraft, type Draft, type Item } from '../../kit/form.tsx'
import { MadeSecret } from '../../kit/secret.tsx'
import { Time } from '../../kit/time.tsx'
import { keyWords } from '../../words/keys.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { ScopePicker, ScopeList } from './scopes.tsx'

/** Of a key that works from everywhere. */
const everywhere = ['0.0.0.0/0', '::/0']
const network = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F:.]*:[\da-fA-F:.]*)(?:\/\d{1,3})?$/

type Written = {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly networks: string
  /** The days until it ends, `date` for a day of its own; empty for no end. */
  readonly after: string
  readonly date: string
}

/** Without `apiKey` it makes a new one. A new key can have every scope of the member's role; one that is there can only lose scopes. */
export function KeyForm({ apiKey, onClose }: { readonly apiKey?: ApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  const { may } = useMerchant()
  const expiryOf = useExpiry()
  const offered = apiKey?.scopes ?? allScopes.filter((scope) => may(scope))
  const draft = useDraft<Written>({
    name: apiKey?.name ?? '',
    scopes: apiKey?.scopes ?? offered.filter((scope) => scope.startsWith('payments:')),
    networks: (apiKey?.allowedCidrs ?? []).join('\n'),
    after: '',
    date: '',
  })
  const { scopes, networks, after, date } = draft.values
  const name = draft.values.name.trim()
  const [made, setMade] = useState<NewApiKey>()
  const lines = linesOf(networks)
  const hadNetworks = apiKey?.allowedCidrs !== undefined
  const allowedCidrs = lines.length > 0 ? lines : hadNetworks ? everywhere : undefined
  const form = {
    lead: apiKey === undefined ? words.lead : words.changeLead,
    isChecked: true,
    draft,
    fields: useKeyItems(draft, offered, apiKey === undefined),
    body: () =>
      name === ''
        ? undefined
        : { name, scopes, ...given({ allowedCidrs, expiresAt: expiryOf(after, date) }) },
    onClose,
  }
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />
  return apiKey === undefined ? (
    <ActionDialog {...form} call="createApiKey" title={words.create} act={words.create} onAnswer={setMade} />
  ) : (
    <ActionDialog
      {...form}
      call="changeApiKey"
      id={apiKey.id}
      title={words.changeTitle}
      act={words.save}
      done={words.changed}
    />
  )
}

function useKeyItems(
  { values, put }: Draft<Written>,
  offered: readonly Scope[],
  isNew: boolean,
): readonly Item<Written>[] {
  const words = useWords(keyWords)
  const { scopes, networks, after } = values
  return [
    {
      name: 'name',
      label: words.name,
      help: words.nameHelp,
      required: true,
      maxLength: 100,
      autoFocus: true,
      autoComplete: 'off',
    },
    {
      at: 'scopes',
      wrong: scopes.length === 0 && words.rightsNone,
      field: (fault) => (
        <ScopePicker
          offered={offered}
          value={scopes}
          onChange={(rights) => put({ scopes: rights })}
          fault={fault}
        />
      ),
    },
    isNew && {
      className: 'sm:grid-cols-2',
      row: [
        {
          name: 'after',
          at: after === 'date' ? '' : 'expiresAt',
          label: words.expiry,
          options: [
            { value: '', label: words.expiryNever },
            { value: '30', label: words.expiryDays(30) },
            { value: '90', label: words.expiryDays(90) },
            { value: '365', label: words.expiryYear },
            { value: 'date', label: words.expiryDate },
          ],
        },
        after === 'date' && {
          name: 'date',
          at: 'expiresAt',
          label: words.expiryOn,
          isDate: true,
          required: true,
        },
      ],
    },
    {
      name: 'networks',
      at: 'allowedCidrs',
      label: words.networks,
      help: words.networksHelp,
      spellCheck: false,
      rows: 2,
      className: 'font-mono text-13!',
      wrong: !linesOf(networks).every((line) => network.test(line)) && words.networksWrong,
    },
  ]
}

function linesOf(networks: string): readonly string[] {
  return networks.split(/[\s,]+/).filter((line) => line !== '')
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

const dayMs = 86_400_000

/** The instant of a choice; undefined for no end. */
function useExpiry(): (after: string, date: string) => string | undefined {
  const { timeZone } = useReader()
  return (after, date) => {
    if (after === '') return undefined
    if (after === 'date') return startOfDay(date, 1, timeZone)
    // To the minute, so that the same form sent twice is the same request.
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    return new Date(minute + Number(after) * dayMs).toISOString()
  }
}

// Rolls a key or secret: the present one works beside the new one until the overlap is over.

/** The API's longest overlap is a week. */
const overlaps = [1, 24, 72, 168]

/** The form of a roll, for its dialog. */
export function useRollForm(
  words: Readonly<Record<'rollLead' | 'rollOverlap' | 'rollNow' | 'rollDo', string>>,
) {
  const { rollHours, rollDays } = useWords(keyWords)
  const draft = useDraft({ overlap: '24' })
  const options = [
    { value: '0', label: words.rollNow },
    ...overlaps.map((hours) => ({
      value: String(hours),
      label: hours < 48 ? rollHours(hours) : rollDays(hours / 24),
    })),
  ]
  return {
    lead: words.rollLead,
    act: words.rollDo,
    draft,
    fields: [{ name: 'overlap', label: words.rollOverlap, options }] as const,
    body: () => ({ overlapHours: Number(draft.values.overlap) }),
  }
}

// Ends a key for good, and says first what stops.

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  const { id, name, lastFour, lastUsedAt, scopes } = apiKey
  return (
    <ActionDialog
      call="revokeApiKey"
      id={id}
      body={() => ({})}
      title={words.revokeTitle(name)}
      lead={words.revokeLead(lastFour)}
      act={words.revokeDo}
      isDanger
      done={words.revokedDone}
      onClose={onClose}
    >
      <p className="text-13">
        {lastUsedAt === undefined ? (
          words.revokeUnused
        ) : (
          <>
            {words.revokeUsed} <Time at={lastUsedAt} className="font-strong" />
          </>
        )}
      </p>
      <div className="text-13">
        <p className="mb-1">{words.revokeRights}</p>
        <div className="max-h-52 overflow-y-auto rounded-control border border-line px-3" tabIndex={0}>
          <ScopeList value={scopes} />
        </div>
      </div>
    </ActionDialog>
  )
}

// A key in place of another: both work until the overlap is over.

export function RollKey({
  apiKey,
  onClose,
  onMade,
}: {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  /** The new key was made, and its secret was kept. */
  readonly onMade: (made: NewApiKey) => void
}) {
  const words = useWords(keyWords)
  const form = useRollForm(words)
  const [made, setMade] = useState<NewApiKey>()
  if (made !== undefined) return <MadeKey made={made} onClose={() => onMade(made)} />
  return (
    <ActionDialog
      {...form}
      call="rollApiKey"
      id={apiKey.id}
      title={words.rollTitle(apiKey.name)}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}
