// What becomes of the API keys of a member who is removed, leaves or gets a role that allows less.
import type { Member } from '../../api/members.ts'
import { useOne, usePages } from '../../api/queries.ts'
import type { Role } from '../../api/session.ts'
import { Fault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Time } from '../../kit/time.tsx'
import { keyWords } from '../../words/keys.ts'
import { memberWords } from '../../words/members.ts'
import { useWords } from '../../words/reader.ts'

type MemberKey = {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly lastUsedAt?: string
}

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
  const words = useWords(memberWords)
  const keys = useWords(keyWords)
  const people = usePages<Member>('members', 'members')
  const { data, error, refetch } = useOne<{ readonly data: readonly MemberKey[] }>(
    'members',
    member.userId,
    `members/${member.userId}/keys`,
    role === undefined ? {} : { role },
  )
  if (error !== null && data === undefined) return <Fault error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.data.length === 0) return null
  const heirs = people.rows?.filter(({ userId, isDisabled }) => userId !== member.userId && !isDisabled) ?? []
  return (
    <section aria-label={words.keysTitle} className="flex flex-col gap-3 text-13">
      <p>{role === undefined ? words.keysLead : words.keysWider}</p>
      <ul className="rounded-control border border-line">
        {data.data.map(({ id, name, lastFour, lastUsedAt }) => (
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
