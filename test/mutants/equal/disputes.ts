import type { EqualMutant } from './equal-mutant.ts'

export const disputes: readonly EqualMutant[] = [
  {
    file: 'src/disputes/queries.ts',
    find: 'filter.id !== undefined || filter.paymentId !== undefined',
    put: '(filter.id !== undefined)',
    why: 'Decides only by which index they are read: the same conditions hold, so the same are found.',
  },
  {
    file: 'src/disputes/queries.ts',
    find: 'filter.id !== undefined || filter.paymentId !== undefined',
    put: '(filter.paymentId !== undefined)',
    why: 'Decides only by which index they are read: the same conditions hold, so the same are found.',
  },
  {
    file: 'src/disputes/accept.ts',
    find: '{ id, limit: 1 }',
    put: '{ id, limit: 2 }',
    why: 'A merchant has at most one dispute of an id.',
  },
  {
    file: 'src/disputes/change-evidence.ts',
    find: '{ id, limit: 1 }',
    put: '{ id, limit: 2 }',
    why: 'A merchant has at most one dispute of an id.',
  },
  {
    file: 'src/disputes/send-evidence.ts',
    find: '{ id: disputeId, limit: 1 }',
    put: '{ id: disputeId, limit: 2 }',
    why: 'A merchant has at most one dispute of an id.',
  },
]
