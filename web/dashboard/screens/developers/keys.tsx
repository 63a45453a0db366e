// All API keys of the merchant, newest first.
import { scopes, type ApiKey } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { useNow } from '../../kit/time.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { DevelopersFrame, useDevelopersPath } from './frame.tsx'
import { KeyForm } from './key-form.tsx'

export function KeyList() {
  const words = useWords(keyWords)
  const pathOf = useDevelopersPath()
  const { may } = useMerchant()
  const makerOf = useKeyMaker()
  const records = useRecords('listApiKeys')
  const create = may('keys:write') && (
    <DialogButton variant="primary" icon="plus" dialog={(onClose) => <KeyForm onClose={onClose} />}>
      {words.create}
    </DialogButton>
  )
  return (
    <DevelopersFrame lead={words.lead} actions={create}>
      <RecordList
        records={records}
        words={words}
        icon="key"
        columns={[
          {
            header: words.name,
            grow: true,
            cell: ({ name, lastFour }) => (
              <span className="block">
                <span className="block truncate font-strong">{name}</span>
                <span className="block font-mono text-ink-soft">…{lastFour}</span>
              </span>
            ),
          },
          { header: words.status, cell: (key) => <KeyState apiKey={key} /> },
          {
            header: words.rights,
            from: 'lg',
            cell: ({ scopes: granted }) => words.rightsCount(granted.length, scopes.length),
          },
          { header: words.createdBy, from: 'md', cell: makerOf },
          {
            header: words.expires,
            time: 'expiresAt',
            none: words.expiresNever,
            from: 'lg',
            phone: 'none',
          },
          { header: words.lastUsed, time: 'lastUsedAt', none: words.never, from: 'sm', isNamed: true },
        ]}
        href={({ id }) => pathOf(`keys/${id}`)}
      />
    </DevelopersFrame>
  )
}

/** Soon: within a week. */
const soonMs = 7 * 86_400_000

export function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const words = useWords(keyWords)
  const now = useNow()
  const { status, expiresAt } = apiKey
  const endsIn = expiresAt === undefined ? Infinity : Date.parse(expiresAt) - now
  if (status === 'ACTIVE' && endsIn < soonMs) return <Badge tone="wait">{words.endsSoon}</Badge>
  const tone = ({ ACTIVE: 'good', EXPIRED: 'calm', REVOKED: 'bad' } as const)[status]
  return <Badge tone={tone}>{words.statuses[status]}</Badge>
}

/** Who made a key: a member by name, the operator, or another key. */
export function useKeyMaker(): (key: Pick<ApiKey, 'createdBy'>) => string {
  const words = useWords(keyWords)
  const nameOf = usePeople()
  return ({ createdBy: { kind, userId, keyId } }) => {
    if (kind === 'OPERATOR') return words.operator
    if (kind === 'USER') return nameOf(userId) ?? words.formerMember
    return nameOf(keyId) ?? words.otherKey
  }
}
