import type { EqualMutant } from './equal-mutant.ts'

export const wallets: readonly EqualMutant[] = [
  {
    file: 'src/wallets/transfer-queries.ts',
    find: 'id !== undefined || (walletId === undefined && currency === undefined)',
    put: '(id !== undefined)',
    why: 'The transfers of all wallets of a merchant are all its transfers: only the way to them costs more.',
  },
  {
    file: 'src/wallets/tally.ts',
    find: '10_000n',
    put: '10001n',
    why: 'Steps of any size write the same marks.',
  },
  {
    file: 'src/wallets/tally.ts',
    find: 'first < due.length',
    put: 'first <= due.length',
    why: 'A round over no accounts reads nothing and makes no marks.',
  },
  {
    file: 'src/wallets/calendar.ts',
    find: 'Temporal.ZonedDateTime(0n, name)',
    put: 'Temporal.ZonedDateTime(1n, name)',
    why: 'Only the name of the zone is read.',
  },
  {
    file: 'src/wallets/calendar.ts',
    find: 'span.to > from',
    put: 'span.to >= from',
    why: 'The first day is that of the instant, and an instant at the start of a day is of that day.',
  },
  {
    file: 'src/wallets/statement.ts',
    find: 'account: 0n',
    put: 'account: 1n',
    why: 'Accounts are numbered from 1, so none comes before either.',
  },
  {
    file: 'src/wallets/statement.ts',
    find: 'kind === undefined ? limit + 1 : chunk',
    put: 'kind === undefined ? limit + 2 : chunk',
    why: 'How many rows are read at a time does not change the page.',
  },
  {
    file: 'src/wallets/statement.ts',
    find: 'let read = 0',
    put: 'let read = 1',
    why: 'Only rows of one kind are counted, in chunks of 250: the same chunk reaches 2,000.',
  },
]
