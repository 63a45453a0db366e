// Sub-accounts, splits of payments, and their shares.
import * as verify from '#/audit/settlement/split-queries.ts'
import * as splits from '#/payments/split-queries.ts'
import * as subAccounts from '#/merchants/sub-account-queries.ts'
import { paged, type Registry, type World } from './registry.ts'

const row = { currency: 'BRL' } as const
const rowsOf = (w: World) => w.refs.map((ref) => ({ ...row, ...ref }) as never)

export const splitsRoom: Registry = {
  'merchants/sub-account-queries.ts': {
    lockParent: (w) => subAccounts.lockParent(w.sql, w.merchantId),
    lockBooks: (w) => subAccounts.lockBooks(w.sql),
    selectFamily: (w) => subAccounts.selectFamily(w.sql, w.merchantId),
    selectByKey: (w) => subAccounts.selectByKey(w.sql, w.merchantId, 'key1'),
    selectSubAccounts: (w) => subAccounts.selectSubAccounts(w.sql, w.merchantId, [w.id('merchant', 9)]),
    selectAnySubAccount: (w) => subAccounts.selectAnySubAccount(w.sql, w.id('merchant', 9)),
    listSubAccounts: (w) => subAccounts.listSubAccounts(w.sql, w.merchantId, { limit: 51 }),
    lockSubAccount: (w) => subAccounts.lockSubAccount(w.sql, w.id('merchant', 9)),
    hasMoneyOrDebt: (w) => subAccounts.hasMoneyOrDebt(w.sql, w.id('merchant', 9)),
    writeSubAccount: (w) =>
      subAccounts.writeSubAccount(w.sql, w.id('merchant', 9), {
        name: 'Bea',
        taxId: null,
        reference: null,
        state: 'ACTIVE',
        suspendedBy: null,
        isActivated: true,
      }),
    selectParents: (w) => subAccounts.selectParents(w.sql, [w.id('merchant', 9)]),
    selectClosedTills: (w) => subAccounts.selectClosedTills(w.sql, [w.id('merchant', 9)]),
  },
  'payments/split-queries.ts': {
    selectSplits: (w) => splits.selectSplits(w.sql, w.refs),
    selectDuplicates: (w) => splits.selectDuplicates(w.sql, [{ connection: 'c2' as never, paidRef: 'ref7' }]),
    selectRecipientWallets: (w) =>
      splits.selectRecipientWallets(w.sql, [{ merchantId: w.merchantId, currency: 'BRL' }]),
    writeSplits: async (w) => {
      const some = await splits.selectSplits(w.raw, w.refs)
      if (some.length > 0) await splits.writeSplits(w.sql, some)
    },
    selectSharesBack: (w) => splits.selectSharesBack(w.sql, w.id('payment-split', 9)),
    listShares: (w) => splits.listShares(w.sql, w.id('merchant', 9), { limit: 51 }),
  },
  'audit/settlement/split-queries.ts': {
    selectSplitRows: paged((w, last, limit) => verify.selectSplitRows(w.sql, last, limit)),
    selectShareRows: (w) => verify.selectShareRows(w.sql, rowsOf(w)),
    selectSplitsAmong: (w) => verify.selectSplitsAmong(w.sql, [w.id('payment', 9)]),
    selectUnsplit: paged((w, last, limit) => verify.selectUnsplit(w.sql, last, limit)),
  },
}
