import type { EqualMutant } from './equal-mutant.ts'

const sparesALookUp =
  'The count only spares a look-up: where all transfers are shown, the named one is among them.'

export const railsCrypto: readonly EqualMutant[] = [
  {
    file: 'src/rails/crypto/watch.ts',
    find: 'let renewAt = 0',
    put: 'let renewAt = 1',
    why: 'The clock began with the process, more than a millisecond ago.',
  },
  {
    file: 'src/rails/crypto/watch.ts',
    find: '(a < b ? a : b)',
    put: '(a <= b ? a : b)',
    why: 'Of two equal numbers either is the least.',
  },
  {
    file: 'src/rails/crypto/rail.ts',
    find: 'addresses.set(chain, compute)',
    put: 'void 0',
    why: 'What is kept is a pure function of the chain: it only spares that it is made again.',
  },
  {
    file: 'src/rails/crypto/rail.ts',
    find: '(rows[0]?.count ?? 0n) <= BigInt(shownMax)',
    put: '(rows[0]?.count ?? 0n) < BigInt(shownMax)',
    why: sparesALookUp,
  },
  {
    file: 'src/rails/crypto/rail.ts',
    find: '(rows[0]?.count ?? 0n)',
    put: '(rows[0]?.count ?? 1n)',
    why: 'Without a row, both are at most what is shown.',
  },
  {
    file: 'src/rails/crypto/rail.ts',
    find: 'limit: limit + 1 }',
    put: 'limit: limit + 2 }',
    why: 'One row more than the page shows that there are more; two show it, too.',
  },
  {
    file: 'src/rails/crypto/rail.ts',
    find: '(rows[0]?.count ?? 0n)',
    put: '(rows[1]?.count ?? 0n)',
    why: 'All rows of a payment have its count; a payment with one row has no more than are shown.',
  },
  {
    file: 'src/rails/crypto/rail.ts',
    find: 'completing === undefined || (rows[0]?.count ?? 0n) <= BigInt(shownMax)',
    put: '(completing === undefined)',
    why: sparesALookUp,
  },
]
