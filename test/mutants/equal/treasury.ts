import type { EqualMutant } from './equal-mutant.ts'

const aboveZeroByte = 'Every address has twenty bytes, so it is above no byte and above one byte of zero.'

export const treasury: readonly EqualMutant[] = [
  {
    file: 'src/treasury/compare-queries.ts',
    find: 'Buffer.alloc(0)',
    put: 'Buffer.alloc(1)',
    why: aboveZeroByte,
  },
  {
    file: 'src/treasury/compare-queries.ts',
    find: 'and shown.address > ${first}',
    put: '',
    why: 'The address is that of the deposit, which the statement compares too. Said twice, the index finds fewer rows.',
  },
  {
    file: 'src/treasury/rescue-queries.ts',
    find: 'Buffer.alloc(0)',
    put: 'Buffer.alloc(1)',
    why: aboveZeroByte,
  },
]
