import type { EqualMutant } from './equal-mutant.ts'

export const guards: readonly EqualMutant[] = [
  {
    file: 'src/dashboard/merchant-entrance.ts',
    find: 'isUuid(id) && each.merchantId === id',
    put: '(each.merchantId === id)',
    why: 'The id of a merchant is a UUID, so a text that equals it is one.',
  },
  {
    file: 'src/dashboard/member-routes.ts',
    find: 'limit: limit + 1',
    put: 'limit: limit + 2',
    why: 'The page is cut to its limit, and goes on where more than that were found.',
  },
]
