import type { EqualMutant } from './equal-mutant.ts'

const sign = 'A sort looks at the sign of a comparison alone.'
const alone = 'The place of an entry tells the entries of one report apart, and this one stands alone.'
const sparesNear =
  'What is near to a reference is looked at only where no payout, file or reference was found for a credit: asked for others it is unused.'
const impliedAmounts =
  'A credit of a shared name has the amount of the debit by its query, and as much of it is left: more than its amount never is.'
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
  {
    file: 'src/rails/sepa/match.ts',
    find: 'each.isCredit &&\n    isEuro(each)',
    put: '(isEuro(each))',
    why: sparesNear,
  },
  {
    file: 'src/rails/sepa/match.ts',
    find: 'each.isCredit &&\n    isEuro(each) &&\n    payoutOf(each) === undefined',
    put: '(each.isCredit &&\n    isEuro(each))',
    why: sparesNear,
  },
  {
    file: 'src/rails/sepa/match.ts',
    find: 'each.isCredit &&\n    isEuro(each) &&\n    payoutOf(each) === undefined &&\n    quoted[at]?.some((reference) => owners.has(reference)) !== true',
    put: '(each.isCredit &&\n    isEuro(each) &&\n    payoutOf(each) === undefined)',
    why: sparesNear,
  },
  {
    file: 'src/rails/sepa/recall.ts',
    find: 'each.names.length > 0',
    put: 'each.names.length >= 0',
    why: 'For a debit without a name no credit is found: the condition spares a look-up.',
  },
  {
    file: 'src/rails/sepa/recall.ts',
    find: 'attempt !== undefined && credits.every(({ attemptId }) => attemptId === attempt)',
    put: '(credits.every(({ attemptId }) => attemptId === attempt))',
    why: 'A row without an attempt has null, which is not undefined; and without a credit there is no newest.',
  },
  ...['(each.leftMinor === minor)', '(each.minor === minor)'].map((put) => ({
    file: 'src/rails/sepa/recall.ts',
    find: 'each.leftMinor === minor && each.minor === minor',
    put,
    why: impliedAmounts,
  })),
  {
    file: 'src/rails/sepa/recall.ts',
    find: 'each.leftMinor === minor && each.minor === minor && isSameParty(debit, each)',
    put: '(isSameParty(debit, each))',
    why: impliedAmounts,
  },
  {
    file: 'src/rails/sepa/camt-split.ts',
    find: 'charge > 0n && chargesIn(entry, transfers, whole.currency).includes(charge)',
    put: '(chargesIn(entry, transfers, whole.currency).includes(charge))',
    why: 'Zero has been returned before, and no stated charge is negative.',
  },
  {
    file: 'src/rails/sepa/camt-split.ts',
    find: 'charge > 0n &&',
    put: 'charge >= 0n &&',
    why: 'Zero has been returned before.',
  },
  {
    file: 'src/rails/sepa/identity.ts',
    find: '(credit ? minor : -minor), 0n)',
    put: '(credit ? minor : -minor), 1n)',
    why: 'A sum is only compared with another one that begins in the same way.',
  },
  {
    file: 'src/rails/sepa/camt-texts.ts',
    find: 'transfer !== undefined && isOnly(entry)',
    put: '(isOnly(entry))',
    why: 'An entry with one transfer alone is always read with it.',
  },
]
