import type { EqualMutant } from './equal-mutant.ts'

const sign = 'A sort looks at the sign of a comparison alone.'
const alone = 'The place of an entry tells the entries of one report apart, and this one stands alone.'
const always = 'A count always has a row.'

export const railsSepa: readonly EqualMutant[] = [
  {
    file: 'src/rails/sepa/identity.ts',
    find: 'each.isCredit !== row.credit || each.minor !== row.minor',
    put: '(each.minor !== row.minor)',
    why: 'Movements of two sides are never compared: relationOf has told them apart before.',
  },
  {
    file: 'src/rails/sepa/identity.ts',
    find: 'each.endToEndId, fact.endToEndId',
    put: 'fact.endToEndId, each.endToEndId',
    why: 'Two texts are equal, open or different whichever is named first.',
  },
  ...['(statement !== undefined)', 'statement !== undefined && known.length >= 0'].map((put) => ({
    file: 'src/rails/sepa/follow.ts',
    find: 'statement !== undefined && known.length > 0',
    put,
    why: 'To state no entry changes nothing: the condition spares a statement of SQL.',
  })),
  {
    file: 'src/rails/sepa/import.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a <= b ? -1 : 1)',
    why: 'The keys of a map differ.',
  },
  ...['(a < b ? -2 : 1)', '(a < b ? -1 : 2)'].map((put) => ({
    file: 'src/rails/sepa/import.ts',
    find: '(a < b ? -1 : 1)',
    put,
    why: sign,
  })),
  ...['(a.name < b.name ? -2 : 1)', '(a.name < b.name ? -1 : 2)'].map((put) => ({
    file: 'src/rails/sepa/zip.ts',
    find: '(a.name < b.name ? -1 : 1)',
    put,
    why: sign,
  })),
  { file: 'src/rails/sepa/held.ts', find: 'entry: 0,', put: 'entry: 1,', why: alone },
  { file: 'src/rails/sepa/correct.ts', find: 'entry: 0,', put: 'entry: 1,', why: alone },
  {
    file: 'src/rails/sepa/payout-queries.ts',
    find: 'row?.count ?? 0',
    put: 'row?.count ?? 1',
    why: always,
  },
]
