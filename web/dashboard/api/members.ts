// The names of a merchant's people: records name a person by their user or by the key by which they act.
import { useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import { useMerchant } from './session.ts'

/** Names are fetched by one request, so only as many members as one page holds have a name. */
const most = 100

/** The name of a person by the id of the user or of the key; undefined for someone who is no member any more. */
export function usePeople(): (id: string | undefined) => string | undefined {
  const { id, may } = useMerchant()
  const { data } = useQuery({
    queryKey: ['m', id, 'members', 'names'],
    queryFn: ({ signal }) => call('listMembers', { merchant: id, query: { limit: most } }, { signal }),
    enabled: may('members:read'),
    staleTime: 60_000,
  })
  return (userOrKeyId) => {
    const found = data?.data.find(({ userId, keyId }) => userOrKeyId === userId || userOrKeyId === keyId)
    return found === undefined ? undefined : found.name === '' ? found.email : found.name
  }
}
