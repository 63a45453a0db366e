import type { EqualMutant } from './equal-mutant.ts'

const textsDecide = 'The hash finds the place in the index; the comparison of the texts decides.'

export const erasure: readonly EqualMutant[] = [
  {
    file: 'src/erasure/queries.ts',
    find: 'and hashtext(${taxId}) = hashtext(${by.taxId}::text) ',
    put: '',
    why: textsDecide,
  },
  {
    file: 'src/erasure/queries.ts',
    find: 'and hashtext(lower(${email} collate "C")) = hashtext(lower(${by.email}::text collate "C"))\n            ',
    put: '',
    why: textsDecide,
  },
]
