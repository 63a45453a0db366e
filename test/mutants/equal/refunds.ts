import type { EqualMutant } from './equal-mutant.ts'

export const refunds: readonly EqualMutant[] = [
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'a.method < b.method ?',
    put: 'a.method <= b.method ?',
    why: 'Each method is there once, so no two are the same.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'a.method < b.method ? -1',
    put: 'a.method < b.method ? -2',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: '? -1 : 1)',
    put: '? -1 : 2)',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'return a.isDuplicate ? -1 : 1',
    put: 'return a.isDuplicate ? -2 : 1',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/choose-piece.ts',
    find: 'return a.isDuplicate ? -1 : 1',
    put: 'return a.isDuplicate ? -1 : 2',
    why: 'Of what a comparator returns only the sign counts.',
  },
  {
    file: 'src/refunds/queries.ts',
    find: 'filter.id !== undefined || filter.paymentId !== undefined',
    put: '(filter.id !== undefined)',
    why: 'Decides only by which index they are read: the same conditions hold, so the same are found.',
  },
  {
    file: 'src/refunds/queries.ts',
    find: 'filter.id !== undefined || filter.paymentId !== undefined',
    put: '(filter.paymentId !== undefined)',
    why: 'Decides only by which index they are read: the same conditions hold, so the same are found.',
  },
  {
    file: 'src/refunds/queries.ts',
    find: "status === 'PENDING' && !approvalRequired",
    put: "(status === 'PENDING')",
    why: 'The row of one that ended or waits for a person is deleted before the rows of the others are written.',
  },
  {
    file: 'src/refunds/queries.ts',
    find: "status === 'PENDING' && !approvalRequired",
    put: '(!approvalRequired)',
    why: 'The row of one that ended or waits for a person is deleted before the rows of the others are written.',
  },
  {
    file: 'src/refunds/request.ts',
    find: '(view.counts.get(payment.id) ?? 0) >= refundsMax',
    put: '(view.counts.get(payment.id) ?? 1) >= refundsMax',
    why: 'None and one are both far below the most.',
  },
  {
    file: 'src/refunds/find.ts',
    find: 'limit: limit + 1',
    put: 'limit: limit + 2',
    why: 'One row beyond the page shows that there are more, and a second one shows the same.',
  },
]
