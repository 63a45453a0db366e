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
  {
    file: 'src/wallets/instants.ts',
    find: 'beginning = unixSeconds(0n)',
    put: 'beginning = unixSeconds(1n)',
    why: 'The books have no entry of 1970.',
  },
  {
    file: 'src/wallets/instants.ts',
    find: '253_402_214_400n',
    put: '253402214401n',
    why: 'The books have no entry of the year 9999.',
  },
  {
    file: 'src/wallets/instants.ts',
    find: 'each < beginning ?',
    put: 'each <= beginning ?',
    why: 'The beginning itself is taken as it is.',
  },
  {
    file: 'src/wallets/instants.ts',
    find: 'await sleep(1)',
    put: 'void 0',
    why: 'Without the pause the clock is only asked more often, until it has gone on.',
  },
  {
    file: 'src/wallets/reports.ts',
    find: 'historyRowsMax + 1',
    put: 'historyRowsMax + 2',
    why: 'One span more than the limit is too many, and so are two.',
  },
  {
    file: 'src/wallets/create.ts',
    find: `        isActive: true,
        version: 1,
      },
    ]`,
    put: `        isActive: true,
        version: 2,
      },
    ]`,
    why: 'The version of a new row is written by the default of its table, and nobody is told of these wallets.',
  },
]
