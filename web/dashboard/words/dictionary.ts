// Words of one area of the dashboard, and with them the common words.
import { commonWords } from '#/kernel/common-words.ts'
import { dictionary as dictionaryOf, type Entries } from '#/kernel/dictionary.ts'

const common = dictionaryOf(commonWords)

export function dictionary<const Own extends Entries>(own: Own) {
  return dictionaryOf(own, common)
}
