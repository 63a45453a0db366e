import type { ApiKey } from '../../api/generated.ts'
import { usePeople } from '../../api/members.ts'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'

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
