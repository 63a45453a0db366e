// The audit log: who changed what, with what it was before and after.
import { useId, useState } from 'react'
import type { AuditEntry } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useList } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { CopyButton } from '../../kit/copy.tsx'
import { CsvButton } from '../../kit/csv-button.tsx'
import { useFilters, type Values } from '../../kit/filter-values.ts'
import { spanFilters } from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { RecordList, useRecords, type FiltersOf } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { auditActionWords } from '../../words/audit-actions.ts'
import { auditWords } from '../../words/audit.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { differencesOf, readAuditCsv } from './audit-records.ts'
import { SettingsFrame } from './frame.tsx'

export function AuditPage() {
  const words = useWords(auditWords)
  const { id } = useMerchant()
  const [values, change] = useFilters()
  const records = useRecords('listAudit', {
    filters: useFilterList(values),
    find: (subject) => ({ subject }),
  })
  return (
    <SettingsFrame isWide>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[66ch] min-w-0 text-13 text-ink-soft">{words.lead}</p>
        <CsvButton name="audit" read={(reading) => readAuditCsv(id, records.query, reading)} />
      </div>
      <RecordList
        records={records}
        words={words}
        icon="book"
        line={(entry) => (
          <li className="border-b border-line last:border-0">
            <AuditRow entry={entry} onSubject={(subject) => change({ q: subject })} />
          </li>
        )}
      />
    </SettingsFrame>
  )
}

function useFilterList({ action }: Values): FiltersOf<'listAudit'> {
  const words = useWords(auditWords)
  const members = useList('listMembers', { query: { limit: 100 } }).rows ?? []
  const labels: Readonly<Record<string, string>> = useWords(auditActionWords).actions
  const named = action === undefined || action in labels ? labels : { ...labels, [action]: action }
  const actions = Object.entries(named)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return [
    {
      name: 'actorId',
      label: words.person,
      options: members.map(({ userId, name, email }) => ({
        value: userId,
        label: name === '' ? email : name,
      })),
    },
    { name: 'action', label: words.action, options: actions },
    ...spanFilters(words),
  ]
}

// One entry of the audit log: a line that opens, and below it what changed.

export function AuditRow({
  entry,
  onSubject,
}: {
  readonly entry: AuditEntry
  readonly onSubject: (subject: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const actorOf = useActor()
  const labels: Readonly<Record<string, string>> = useWords(auditActionWords).actions
  const [kind, id = ''] = entry.subject.split(':')
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left text-13 -outline-offset-2! hover:bg-hover phone:min-h-14"
      >
        <Icon
          name="right"
          className={`text-ink-soft transition-transform duration-150 ${isOpen ? 'rotate-90' : ''}`}
        />
        <span className="grid min-w-0 flex-1 grid-cols-1 gap-x-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1fr)]">
          <span className="truncate font-strong">{actorOf(entry)}</span>
          <span className="truncate">{labels[entry.action] ?? entry.action}</span>
          <span className="truncate font-mono text-ink-soft max-sm:hidden">
            {kind} {id === '' ? '' : `…${id.slice(-8)}`}
          </span>
        </span>
        <Time at={entry.at} inRow className="min-w-24 text-right text-ink-soft" />
      </button>
      {isOpen && (
        <div id={detailId} className="flex flex-col gap-4 px-4 pt-1 pb-5 sm:pl-11">
          <Changes entry={entry} />
          <Facts entry={entry} onSubject={onSubject} />
        </div>
      )}
    </>
  )
}

/** Who did it, by name where there is one. */
function useActor(): (entry: AuditEntry) => string {
  const words = useWords(auditWords)
  const nameOf = usePeople()
  const { may } = useMerchant()
  const keys = useList('listApiKeys', { query: { limit: 100 }, enabled: may('keys:read') }).rows
  return ({ actorKind, actorId, actorName }) => {
    if (actorKind === 'USER') return actorName ?? nameOf(actorId) ?? words.kind.USER
    if (actorKind === 'API_KEY') {
      const name = keys?.find(({ id }) => id === actorId)?.name ?? `…${actorId.slice(-6)}`
      return `${words.kind.API_KEY} ${name}`
    }
    return `${words.kind[actorKind]} ${actorId}`
  }
}

function Changes({ entry }: { readonly entry: AuditEntry }) {
  const words = useWords(auditWords)
  const changes = differencesOf(entry)
  if (changes.length === 0) return <p className="text-13 text-ink-soft">{words.noChange}</p>
  const isNew = entry.before === null
  return (
    <dl aria-label={words.changes} className="text-13">
      {changes.map(({ field, before, after }) => (
        <div
          key={field}
          className="grid gap-x-4 border-t border-line py-1.5 first:border-0 sm:grid-cols-[160px_minmax(0,1fr)]"
        >
          <dt className="font-mono break-words text-ink-soft">{field}</dt>
          <dd className="flex min-w-0 flex-col gap-0.5">
            {before !== undefined && (
              <Value sign="−" name={words.before} text={before} className="text-bad" />
            )}
            {after !== undefined && (
              <Value
                sign={isNew ? '' : '+'}
                name={words.after}
                text={after}
                className={isNew ? '' : 'text-good'}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({
  sign,
  name,
  text,
  className,
}: {
  readonly sign: string
  readonly name: string
  readonly text: string
  readonly className: string
}) {
  return (
    <span className={`flex min-w-0 gap-2 ${className}`}>
      {sign !== '' && <span aria-hidden="true">{sign}</span>}
      <span className="aside">{name}:</span>
      <span className="min-w-0 break-all">{text}</span>
    </span>
  )
}

function Facts({
  entry,
  onSubject,
}: {
  readonly entry: AuditEntry
  readonly onSubject: (subject: string) => void
}) {
  const words = useWords(auditWords)
  const format = useFormat()
  const { subject, address, requestId, reason, at } = entry
  const facts = [
    [words.reason, reason],
    [words.address, address],
    [words.request, requestId],
    [words.exact, format.exact(at)],
  ] as const
  return (
    <dl className="grid gap-x-4 gap-y-1 text-13 sm:grid-cols-[160px_minmax(0,1fr)]">
      <dt className="text-ink-soft">{words.action}</dt>
      <dd className="min-w-0 font-mono break-all">{entry.action}</dd>
      <dt className="text-ink-soft">{words.subject}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="min-w-0 font-mono break-all">{subject}</span>
        <CopyButton value={subject} what={words.subject} />
        <button type="button" className="link phone:min-h-11" onClick={() => onSubject(subject)}>
          {words.onlySubject}
        </button>
      </dd>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="min-w-0 break-all">{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
