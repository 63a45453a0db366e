// What issuance logs make known again after a restore: workers claim it, one command and verify read it page by page.
import * as issuance from '#/issuance/queries.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { claimOf, everything, leaseMs, slots, type Registry, type World } from './registry.ts'

const attempt = (w: World): Attempt => ({
  id: w.id('attempt', 7),
  merchantId: w.merchantId,
  paymentId: w.id('payment', 7),
  method: 'PIX',
  connection: 'c8' as ConnectionId,
  amount: { minor: 1n, currency: 'BRL' },
})
const due = (w: World): issuance.DueClosing => ({
  attempt: attempt(w),
  name: null,
  claim: claimOf(w.id('attempt', 7)),
})

export const issuanceRoom: Registry = {
  'issuance/queries.ts': {
    selectBooks: (w) => issuance.selectBooks(w.sql),
    selectLastRestore: (w) => issuance.selectLastRestore(w.sql),
    selectInBooks: (w) => issuance.selectInBooks(w.sql, [attempt(w)], ['CRYPTO']),
    nameLost: (w) => issuance.nameLost(w.sql, [{ at: w.now, attempt: attempt(w), name: 'cs_1' }]),
    insertClosings: (w) => issuance.insertClosings(w.sql, [attempt(w)]),
    selectLostPage: (w) =>
      issuance.selectLostPage(w.sql, { merchantId: w.merchantId, attemptId: attempt(w).id }, 50),
    countLost: everything('one command counts what a restore lost', (w) => issuance.countLost(w.sql, 1)),
    claimClosings: (w) => issuance.claimClosings(w.sql, slots, leaseMs),
    postponeClosing: (w) => issuance.postponeClosing(w.sql, due(w), 1_000),
    writeSaid: (w) => issuance.writeSaid(w.sql, due(w), 'no'),
    endClosing: (w) => issuance.endClosing(w.sql, due(w), 'CLOSED'),
  },
}
