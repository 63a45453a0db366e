// What becomes of the API keys of a member who is removed, leaves or gets a role that allows less; and of a user whom the operator disables.
import type { Member, MemberKey, Role } from '../../api/generated.ts'
import { useList, useRead } from '../../api/queries.ts'
import { Fault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/field.tsx'
import { Time } from '../../kit/time.tsx'
import { keyWords } from '../../words/keys.ts'
import { memberWords } from '../../words/members.ts'
import { useWords } from '../../words/reader.ts'

type HeldKey = Pick<MemberKey, 'id' | 'name' | 'lastFour' | 'lastUsedAt'>

/** The keys with their last use, and the choice. `role`: only keys that can do more than it. Empty for `value`: they are revoked. */
export function MemberKeys({
  member,
  role,
  value,
  onChange,
}: {
  readonly member: Member
  readonly role?: Role
  readonly value: string
  readonly onChange: (heir: string) => void
}) {
  const people = useList('listMembers')
  const { data, error, refetch } = useRead('listMemberKeys', {
    id: member.userId,
    query: role === undefined ? {} : { role },
  })
  const heirs = people.rows?.filter(({ userId, isDisabled }) => userId !== member.userId && !isDisabled) ?? []
  return (
    <KeysFate
      keys={data?.data}
      heirs={heirs}
      isWider={role !== undefined}
      error={error}
      onRetry={() => void refetch()}
      value={value}
      onChange={onChange}
    />
  )
}

/** The same for keys that are loaded already. Without keys nothing is asked. */
export function KeysFate({
  keys: held,
  heirs,
  isWider = false,
  error,
  onRetry,
  value,
  onChange,
}: {
  readonly keys: readonly HeldKey[] | undefined
  readonly heirs: readonly { readonly userId: string; readonly name: string; readonly email: string }[]
  /** They are only those that can do more than a new role. */
  readonly isWider?: boolean
  readonly error: unknown
  readonly onRetry: () => void
  readonly value: string
  readonly onChange: (heir: string) => void
}) {
  const words = useWords(memberWords)
  const keys = useWords(keyWords)
  if (error !== null && held === undefined) return <Fault error={error} onRetry={onRetry} />
  if (held === undefined || held.length === 0) return null
  return (
    <section aria-label={words.keysTitle} className="flex flex-col gap-3 text-13">
      <p>{isWider ? words.keysWider : words.keysLead}</p>
      <ul className="rounded-control border border-line">
        {held.map(({ id, name, lastFour, lastUsedAt }) => (
          <li
            key={id}
            className="flex flex-wrap justify-between gap-x-3 border-t border-line px-3 py-2 first:border-0"
          >
            <span className="min-w-0 font-strong break-words">
              {name} …{lastFour}
            </span>
            <span className="text-ink-soft">
              {keys.lastUsed}: {lastUsedAt === undefined ? keys.never : <Time at={lastUsedAt} />}
            </span>
          </li>
        ))}
      </ul>
      <SelectField
        label={words.keysFate}
        value={value}
        options={[
          { value: '', label: words.keysRevoke },
          ...heirs.map(({ userId, name, email }) => ({
            value: userId,
            label: words.keysHand(name === '' ? email : name),
          })),
        ]}
        onChange={(event) => onChange(event.target.value)}
      />
    </section>
  )
}
