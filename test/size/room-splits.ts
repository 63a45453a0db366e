// Sub-accounts, splits of payments and their shares, and transfer grants.
import * as verifyGrants from '#/audit/grants-queries.ts'
import type { SplitRow } from '#/audit/settlement/split-queries.ts'
import * as verify from '#/audit/settlement/split-queries.ts'
import * as subAccounts from '#/merchants/sub-account-queries.ts'
import * as splits from '#/payments/split-queries.ts'
import * as grants from '#/wallets/transfer-queries.ts'
import { asId } from '../as-id.ts'
import { partly } from '../partly.ts'
import { bounded, paged, type Registry, type World } from './registry.ts'

const row = { currency: 'BRL' } as const
const grantOf = (w: World) => ({ merchantId: w.merchantId, id: w.id('transfer_grant', 7) })
const shareOf = (w: World) => ({ merchantId: w.id('merchant', 9), id: w.id('payment_share', 9) as string })
const rowsOf = (w: World) => w.refs.map((ref) => partly<SplitRow>({ ...row, ...ref }))
const payerRowsOf = (w: World) =>
  w.refs.map((ref) => partly<SplitRow>({ ...row, ...ref, feePayer: w.id('merchant', 9) }))

export const splitsRoom: Registry = {
  'merchants/sub-account-queries.ts': {
    lockParent: (w) => subAccounts.lockParent(w.sql, w.merchantId),
    lockBooks: (w) => subAccounts.lockBooks(w.sql),
    selectFamily: bounded(10_100, 'counts the sub-accounts of one merchant, which are at most 10,000', (w) =>
      subAccounts.selectFamily(w.sql, w.merchantId),
    ),
    selectByKey: (w) => subAccounts.selectByKey(w.sql, w.merchantId, 'key1'),
    selectSubAccounts: (w) => subAccounts.selectSubAccounts(w.sql, w.merchantId, [w.id('merchant', 9)]),
    selectSubAccountsAmong: (w) => subAccounts.selectSubAccountsAmong(w.sql, [w.id('merchant', 9)]),
    selectAnySubAccount: (w) => subAccounts.selectAnySubAccount(w.sql, w.id('merchant', 9)),
    listSubAccounts: (w) => subAccounts.listSubAccounts(w.sql, w.merchantId, { limit: 51 }),
    lockSubAccount: (w) => subAccounts.lockSubAccount(w.sql, w.id('merchant', 9)),
    lockState: (w) => subAccounts.lockState(w.sql, w.id('merchant', 9)),
    selectStates: (w) => subAccounts.selectStates(w.sql, [w.id('merchant', 9)]),
    selectParentsOf: (w) => subAccounts.selectParentsOf(w.sql, [w.id('merchant', 9)], [w.id('merchant', 8)]),
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
    selectAccountsOut: (w) => subAccounts.selectAccountsOut(w.sql, [w.id('merchant', 9)]),
    selectStillOpen: bounded(20_000, 'counts up to 1,000 of each kind, when a sub-account is closed', (w) =>
      subAccounts.selectStillOpen(w.sql, w.id('merchant', 9)),
    ),
  },
  'payments/split-queries.ts': {
    selectSplits: (w) => splits.selectSplits(w.sql, w.refs),
    selectDuplicates: (w) => splits.selectDuplicates(w.sql, [{ connection: asId('c2'), paidRef: 'ref7' }]),
    selectWithheldShares: (w) => splits.selectWithheldShares(w.sql, w.refs),
    selectRecipientWallets: (w) =>
      splits.selectRecipientWallets(w.sql, [{ merchantId: w.merchantId, currency: 'BRL' }]),
    selectWalletCurrencies: (w) =>
      splits.selectWalletCurrencies(w.sql, [{ merchantId: w.merchantId, id: w.id('wallet', 1) }]),
    writeSplits: async (w) => {
      const some = await splits.selectSplits(w.raw, w.refs)
      if (some.length > 0) await splits.writeSplits(w.sql, some)
    },
    selectSharesBack: (w) => splits.selectSharesBack(w.sql, w.id('payment-split', 9)),
    listShares: (w) => splits.listShares(w.sql, w.id('merchant', 9), { limit: 51 }),
  },
  'audit/settlement/split-queries.ts': {
    selectSplitRows: paged(verify.selectSplitRows),
    selectShareRows: (w) => verify.selectShareRows(w.sql, rowsOf(w)),
    selectWaitingRows: (w) => verify.selectWaitingRows(w.sql, rowsOf(w)),
    selectFeeBasis: (w) => verify.selectFeeBasis(w.sql, payerRowsOf(w)),
    selectSplitsAmong: (w) => verify.selectSplitsAmong(w.sql, [w.id('payment', 9)]),
    selectNotifiedShares: (w) => verify.selectNotifiedShares(w.sql, [shareOf(w)]),
    selectSharesOwed: paged(verify.selectSharesOwed),
    selectUnsplit: paged(verify.selectUnsplit),
  },
  'wallets/transfer-queries.ts': {
    updateGrants: async (w) => {
      const some = await grants.selectGrants(w.raw, [grantOf(w)])
      if (some.length > 0) await grants.updateGrants(w.sql, some)
      else await grants.selectGrants(w.sql, [grantOf(w)])
    },
    selectNewestGrants: (w) =>
      grants.selectNewestGrants(w.sql, [{ merchantId: w.merchantId, currency: 'BRL' }]),
    selectGrantsByKey: (w) => grants.selectGrantsByKey(w.sql, [{ merchantId: w.merchantId, key: 'key7' }]),
    selectGrants: (w) => grants.selectGrants(w.sql, [grantOf(w)]),
    listGrants: [
      (w) => grants.listGrants(w.sql, w.merchantId, { limit: 51 }),
      (w) => grants.listGrants(w.sql, w.merchantId, { limit: 51, id: w.id('transfer_grant', 7) }),
      (w) => grants.listGrants(w.sql, w.merchantId, { limit: 51, subAccountId: w.id('merchant', 9) }),
    ],
  },
  'audit/grants-queries.ts': {
    selectGrantRows: paged(verifyGrants.selectGrantRows),
    selectNotifiedGrants: (w) => verifyGrants.selectNotifiedGrants(w.sql, [grantOf(w)]),
    selectGrantsOwed: paged(verifyGrants.selectGrantsOwed),
  },
}
