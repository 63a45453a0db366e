import type { EqualMutant } from './equal-mutant.ts'

const sparesALookUp =
  'The count only spares a look-up: where all transfers are shown, the named one is among them.'
const gasIsEnough = 'More gas than a transaction uses changes nothing, and a block has room for either limit.'
const partOfNone = 'A part without places asks for nothing and mints nothing.'

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
  {
    file: 'src/rails/crypto/rebuild.ts',
    find: 'gas: 15_000_000n',
    put: 'gas: 15000001n',
    why: gasIsEnough,
  },
  {
    file: 'src/rails/crypto/rebuild.ts',
    find: 'gas: 100_000n',
    put: 'gas: 100001n',
    why: gasIsEnough,
  },
  {
    file: 'src/rails/crypto/rebuild.ts',
    find: 'from < places.length',
    put: 'from <= places.length',
    why: partOfNone,
  },
  {
    file: 'src/rails/crypto/rebuild.ts',
    find: 'from < holders.length',
    put: 'from <= holders.length',
    why: partOfNone,
  },
  {
    file: 'src/rails/crypto/rebuild.ts',
    find: 'if (next < first)',
    put: 'if (next <= first)',
    why: 'An account is given the nonce that it has.',
  },
  {
    file: 'src/rails/crypto/sandbox.ts',
    find: 'gas: 200_000n',
    put: 'gas: 200001n',
    why: gasIsEnough,
  },
  {
    file: 'src/rails/crypto/sandbox.ts',
    find: 'gas: 21_000n',
    put: 'gas: 21001n',
    why: gasIsEnough,
  },
  {
    file: 'src/rails/crypto/sandbox.ts',
    find: 'minor > 1n ?',
    put: 'minor > 2n ?',
    why: 'Half of two cents is one cent in either way.',
  },
]
