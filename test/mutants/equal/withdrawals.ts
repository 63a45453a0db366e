import type { EqualMutant } from './equal-mutant.ts'

export const withdrawals: readonly EqualMutant[] = [
  {
    file: 'src/withdrawals/find.ts',
    find: 'limit: limit + 1 }), limit)',
    put: 'limit: limit + 2 }), limit)',
    why: 'The row beyond the page says that there are more; a second one is read and shown to nobody.',
  },
  {
    file: 'src/withdrawals/accept.ts',
    find: 'least + most + 1n',
    put: 'least + most + 2n',
    why: 'The search asks another amount between the same bounds, and finds the same.',
  },
  {
    file: 'src/withdrawals/list-queries.ts',
    find: 'batchId === undefined || type === undefined',
    put: '(type === undefined)',
    why: 'Without a batch the type is compared by the kinds already, and is only compared twice.',
  },
  {
    file: 'src/withdrawals/list-queries.ts',
    find: 'batchId === undefined || currency === undefined',
    put: '(currency === undefined)',
    why: 'Without a batch the currency is compared by the kinds already, and is only compared twice.',
  },
  {
    file: 'src/withdrawals/list-queries.ts',
    find: 'sql`and withdrawal.batch_id is not null`',
    put: 'sql``',
    why: 'A batch is compared as well: it is there for the partial index.',
  },
  {
    file: 'src/withdrawals/queries.ts',
    find: 'id === null || place === null',
    put: '(id === null)',
    why: 'Both are written together with the withdrawal, and never again.',
  },
  {
    file: 'src/withdrawals/queries.ts',
    find: 'id === null || place === null',
    put: '(place === null)',
    why: 'Both are written together with the withdrawal, and never again.',
  },
  {
    file: 'src/withdrawals/schedule.ts',
    find: 'soon < regular ||',
    put: 'soon <= regular ||',
    why: 'When both are the same instant, either is.',
  },
  {
    file: 'src/withdrawals/decide.ts',
    find: "event !== 'canceled' || status !== 'PROCESSING' || view",
    put: "(status !== 'PROCESSING') || view",
    why: 'From PROCESSING the table of states leads nowhere by another decision.',
  },
  {
    file: 'src/money-out/limits.ts',
    find: 'dayMinor > spentMinor ?',
    put: 'dayMinor >= spentMinor ?',
    why: 'Of a day that is spent to the cent, zero is left either way.',
  },
  {
    file: 'src/money-out/limits.ts',
    find: 'spentMinor > amountMinor ?',
    put: 'spentMinor >= amountMinor ?',
    why: 'Where both are the same, the others have zero either way.',
  },
  {
    file: 'src/withdrawals/terms.ts',
    find: 'b < a) ?',
    put: 'b <= a) ?',
    why: 'Of two equal amounts either is the least.',
  },
  {
    file: 'src/withdrawals/terms.ts',
    find: 'remaining < 0n ? 0n',
    put: 'remaining <= 0n ? 0n',
    why: 'Where zero is left, zero is shown either way.',
  },
  {
    file: 'src/withdrawals/terms.ts',
    find: 'remaining < 0n ? 0n',
    put: 'remaining < 1n ? 0n',
    why: 'Where zero is left, zero is shown either way.',
  },
  {
    file: 'src/withdrawals/request-batch.ts',
    find: 'all.slice(0, 1)',
    put: 'all.slice(0, 2)',
    why: 'Each of a group gives the same answer, which is about what they have in common and their sum.',
  },
  {
    file: 'src/withdrawals/decide.ts',
    find: '!isSending || !limit.needsApproval ||',
    put: '(!limit.needsApproval) ||',
    why: 'What is approved waits for it already: from there the table of states leads nowhere by the need for one.',
  },
  {
    file: 'src/withdrawals/decide.ts',
    find: 'if (canceled.length > 0)',
    put: 'if (canceled.length >= 0)',
    why: 'Statements about no withdrawals change none.',
  },
  {
    file: 'src/money-out/limits.ts',
    find: '2n ** 256n - 1n',
    put: '2n ** 256n - 2n',
    why: 'The largest number of 256 bits has the same whole cents without its last unit.',
  },
]
