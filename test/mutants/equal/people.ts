import type { EqualMutant } from './equal-mutant.ts'

export const people: readonly EqualMutant[] = [
  {
    file: 'src/people/throttle.ts',
    find: 'Buffer.compare(a.key, b.key)',
    put: 'Buffer.compare(b.key, a.key)',
    why: 'Any order does, as long as it is one everywhere.',
  },
  {
    file: 'src/people/challenge.ts',
    find: 'instantPart = 8',
    put: 'instantPart = 9',
    why: 'The parts are read where they were written, and the ninth byte is never used.',
  },
]
