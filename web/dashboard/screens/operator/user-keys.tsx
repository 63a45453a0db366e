// What becomes of the API keys of a user whom the operator disables, at all their merchants.
import { useRead } from '../../api/queries.ts'
import { KeysFate } from '../settings/member-keys.tsx'

/** The keys with their last use, and the choice. Empty for `value`: they are revoked. */
export function UserKeys({
  userId,
  value,
  onChange,
}: {
  readonly userId: string
  readonly value: string
  readonly onChange: (heir: string) => void
}) {
  const { data, error, refetch } = useRead('listUserKeys', { id: userId })
  return (
    <KeysFate
      keys={data?.data}
      heirs={data?.heirs ?? []}
      error={error}
      onRetry={() => void refetch()}
      value={value}
      onChange={onChange}
    />
  )
}
