// Wallets, the statement and the tally; withdrawals and their limits.
import * as verifyTransfers from '#/audit/wallets-queries.ts'
import * as verifyWithdrawals from '#/audit/withdrawals-queries.ts'
import { must } from '#/kernel/check.ts'
import type { PayoutScheduleId, WithdrawalBatchId } from '#/kernel/id.ts'
import * as moneyOut from '#/money-out/queries.ts'
import * as wallets from '#/wallets/queries.ts'
import * as statement from '#/wallets/statement-queries.ts'
import * as tally from '#/wallets/tally-queries.ts'
import * as transfers from '#/wallets/transfer-queries.ts'
import * as dueWithdrawals from '#/withdrawals/due-queries.ts'
import * as lists from '#/withdrawals/list-queries.ts'
import * as withdrawals from '#/withdrawals/queries.ts'
import * as schedules from '#/withdrawals/schedule-queries.ts'
import {
  leaseMs,
  bounded,
  everything,
  notRun,
  paged,
  slots,
  claimOf,
  type Call,
  type Registry,
  type World,
} from './registry.ts'

const page = { limit: 50 }
const idsOf = (w: World, table: string) => w.some.map((row) => w.id(table, row))
const keysOf = (w: World, table: string) =>
  w.some.map((row) => ({ merchantId: w.merchantId, id: w.id(table, row) }))
const batchOf = (w: World) => ({
  merchantId: w.merchantId,
  id: w.id('withdrawal_batch', 1) as WithdrawalBatchId,
})
const scheduleOf = (w: World) => ({
  merchantId: w.merchantId,
  id: w.id('payout_schedule', 7) as PayoutScheduleId,
})
const dueOf = async (w: World) =>
  must((await dueWithdrawals.claimDue(w.raw, slots, leaseMs))[0], 'a withdrawal is due')
const middle = (w: World) => BigInt(w.some[0] ?? 1)
const account = { id: 1n, sum: 'all', name: 'x' }

export const walletsRoom: Registry = {
  'wallets/statement-queries.ts': {
    selectClock: (w) => statement.selectClock(w.sql),
    awaitBatch: (w) => statement.awaitBatch(w.sql),
    readFew: (w) => statement.readFew(w.sql),
    selectPositions: (w) => statement.selectPositions(w.sql, [w.at(1), w.at(40)]),
    selectBalancesAt: (w) => statement.selectBalancesAt(w.sql, [account], [1n, middle(w)]),
    selectFlowsAt: (w) => statement.selectFlowsAt(w.sql, [account], [1n, middle(w)]),
    selectAccounts: (w) =>
      statement.selectAccounts(w.sql, 'LIVE', [`wallet:${String(w.id('wallet', 9))}:available`]),
    selectShareLabels: (w) => statement.selectShareLabels(w.sql, w.merchantId, [w.id('payment-split', 9)]),
    selectRefunded: (w) => statement.selectRefunded(w.sql, w.merchantId, idsOf(w, 'refund')),
    selectTransfer: (w) => statement.selectTransfer(w.sql, w.id('payment', 7), 'final', 1n),
    selectRows: [
      (w) =>
        statement.selectRows(
          w.sql,
          [account],
          { first: 0n, before: { transfer: middle(w), account: 1n } },
          50,
        ),
      (w) =>
        statement.selectRows(w.sql, [account], { first: 0n, before: { transfer: 40n, account: 1n } }, 50),
    ],
  },
  'wallets/queries.ts': {
    selectDefaultWallets: (w) =>
      wallets.selectDefaultWallets(w.sql, [{ merchantId: w.merchantId, currency: 'BRL' }]),
    selectWalletIds: (w) => wallets.selectWalletIds(w.sql, [{ merchantId: w.merchantId, currency: 'BRL' }]),
    selectWalletsOf: (w) => wallets.selectWalletsOf(w.sql, [w.merchantId]),
    countWallets: (w) => wallets.countWallets(w.sql, [w.merchantId]),
    selectByKeys: (w) => wallets.selectByKeys(w.sql, [{ merchantId: w.merchantId, key: 'key1' }]),
    selectWallets: [
      (w) => wallets.selectWallets(w.sql, w.merchantId),
      (w) => wallets.selectWallets(w.sql, w.merchantId, { currency: 'USD', limit: 50 }),
    ],
    selectBalances: (w) =>
      wallets.selectBalances(w.sql, 'LIVE', [`wallet:${String(w.id('wallet', 9))}:available`]),
    selectWalletsById: (w) =>
      wallets.selectWalletsById(w.sql, [{ merchantId: w.merchantId, id: w.id('wallet', 1) }]),
    updateWallets: async (w) =>
      wallets.updateWallets(w.sql, await wallets.selectWallets(w.raw, w.merchantId)),
    holdHead: (w) => wallets.holdHead(w.sql),
    selectWalletOfAny: (w) => wallets.selectWalletOfAny(w.sql, w.id('wallet', 9)),
    setDefaultWallet: async (w) => {
      const [wallet] = await wallets.selectWallets(w.raw, w.merchantId)
      if (wallet !== undefined) await wallets.setDefaultWallet(w.sql, wallet)
    },
  },
  'wallets/tally-queries.ts': {
    selectProgress: (w) => tally.selectProgress(w.sql),
    selectDue: bounded(
      1_000,
      'counts the entries of one account since its last mark, up to as many as make a mark',
      (w) => tally.selectDue(w.sql, { after: middle(w), upTo: middle(w) + 100n }, 256),
    ),
    selectMovements: (w) =>
      tally.selectMovements(w.sql, [{ account: 1n, mark: middle(w) }], middle(w) + 100n),
    selectMarks: (w) => tally.selectMarks(w.sql, [{ account: 1n, mark: middle(w) }]),
    writeMarks: (w) => tally.writeMarks(w.sql, { after: 0n, upTo: 5n }, []),
  },
  'wallets/transfer-queries.ts': {
    selectOwnTransfersByKey: (w) =>
      transfers.selectOwnTransfersByKey(w.sql, [{ merchantId: w.merchantId, key: 'key7' }]),
    selectOwnTransfers: [
      (w) => transfers.selectOwnTransfers(w.sql, w.merchantId, page),
      (w) => transfers.selectOwnTransfers(w.sql, w.merchantId, { ...page, from: w.at(1), to: w.at(40) }),
      (w) => transfers.selectOwnTransfers(w.sql, w.merchantId, { ...page, currency: 'EUR' }),
      (w) => transfers.selectOwnTransfers(w.sql, w.merchantId, { ...page, walletId: w.id('wallet', 9) }),
      (w) =>
        transfers.selectOwnTransfers(w.sql, w.merchantId, {
          ...page,
          id: w.id('own_transfer', w.some[0] ?? 1),
        }),
    ],
    selectDescriptions: (w) => transfers.selectDescriptions(w.sql, w.merchantId, idsOf(w, 'own_transfer')),
  },
  'audit/wallets-queries.ts': {
    selectTallied: (w) => verifyTransfers.selectTallied(w.sql),
    selectKeptMarks: (w) => verifyTransfers.selectKeptMarks(w.sql, [{ account: 1n, transfer: middle(w) }]),
    selectMarkKeys: paged(verifyTransfers.selectMarkKeys),
    selectSteps: (w) =>
      verifyTransfers.selectSteps(w.sql, [{ account: 1n, before: middle(w), transfer: middle(w) + 9n }]),
    selectAccountCurrencies: paged(verifyTransfers.selectAccountCurrencies),
    selectOwnTransferRows: paged(verifyTransfers.selectOwnTransferRows),
    selectNotifiedTransfers: (w) => verifyTransfers.selectNotifiedTransfers(w.sql, keysOf(w, 'own_transfer')),
    selectTransfersOwed: paged(verifyTransfers.selectTransfersOwed),
    countTransferEvents: everything('counts the transfers and their events of a page of merchants', (w) =>
      verifyTransfers.countTransferEvents(w.sql, undefined, 10),
    ),
    selectBooked: (w) => verifyTransfers.selectBooked(w.sql, idsOf(w, 'payment')),
    selectOwnTransfersAmong: everything('reads all of them, for a sum that is wrong', (w) =>
      verifyTransfers.selectOwnTransfersAmong(w.sql, idsOf(w, 'own_transfer')),
    ),
  },
  'money-out/queries.ts': {
    selectLimits: (w) => moneyOut.selectLimits(w.sql, [w.merchantId]),
    selectFirstDestinations: (w) => moneyOut.selectFirstDestinations(w.sql, w.merchantId, 201),
    selectLimitsToday: bounded(
      20_100,
      'adds up today of one merchant and its sub-accounts, at most 10,000',
      (w) => moneyOut.selectLimitsToday(w.sql, w.merchantId),
    ),
    selectSpentToday: bounded(30_200, 'the same of each type', (w) =>
      moneyOut.selectSpentToday(w.sql, w.merchantId),
    ),
    selectSpentOn: bounded(20_100, 'the same for the day of each payout', (w) =>
      moneyOut.selectSpentOn(w.sql, [
        { merchantId: w.merchantId, type: 'PIX', currency: 'BRL', day: '2025-01-02' },
      ]),
    ),
    hastenHeldBack: bounded(
      Infinity,
      'when an operator lifts a limit or a freeze: goes through what waits of one merchant',
      (w) => moneyOut.hastenHeldBack(w.sql, w.merchantId),
    ),
    releaseSpent: (w) =>
      moneyOut.releaseSpent(w.sql, [
        { merchantId: w.merchantId, type: 'PIX', currency: 'BRL', day: '2025-01-02', minor: 1n },
      ]),
    selectDestinations: (w) => moneyOut.selectDestinations(w.sql, [w.merchantId]),
    deleteDestination: (w) =>
      moneyOut.deleteDestination(w.sql, { merchantId: w.merchantId, type: 'PIX', destination: 'key7' }),
    selectOwnAddresses: (w) => moneyOut.selectOwnAddresses(w.sql, [`0x${'a7'.repeat(20)}`]),
    selectOwnIbans: (w) => moneyOut.selectOwnIbans(w.sql, ['DE89370400440532013000']),
    selectOwnPixKeys: (w) => moneyOut.selectOwnPixKeys(w.sql, ['ana@example.com']),
    selectBatchSums: bounded(1_000, 'a batch has up to a thousand withdrawals, all are added up', (w) =>
      moneyOut.selectBatchSums(w.sql, [{ merchantId: w.merchantId, batchId: batchOf(w).id }]),
    ),
  },
  'withdrawals/queries.ts': {
    selectBatchesByKey: (w) =>
      withdrawals.selectBatchesByKey(w.sql, [{ merchantId: w.merchantId, idempotencyKey: 'key7' }]),
    selectBatchWithdrawals: bounded(1_000, 'a batch has up to a thousand withdrawals, all are decided', (w) =>
      withdrawals.selectBatchWithdrawals(w.sql, [batchOf(w)]),
    ),
    selectBatch: (w) => withdrawals.selectBatch(w.sql, w.merchantId, batchOf(w).id),
    selectProgress: bounded(1_000, 'a batch has up to a thousand withdrawals, all are counted', (w) =>
      withdrawals.selectProgress(w.sql, w.merchantId, batchOf(w).id),
    ),
    listBatches: [
      (w) => withdrawals.listBatches(w.sql, w.merchantId, page),
      (w) => withdrawals.listBatches(w.sql, w.merchantId, { ...page, from: w.at(1), to: w.at(40) }),
    ],
    insertWithdrawals: (w) => withdrawals.insertWithdrawals(w.sql, []),
    columns: notRun('a part of other statements'),
    selectByKeys: (w) => withdrawals.selectByKeys(w.sql, ['ref7', 'ref8']),
    selectWithdrawalsById: (w) => withdrawals.selectWithdrawalsById(w.sql, idsOf(w, 'withdrawal')),
    selectByReferences: (w) => withdrawals.selectByReferences(w.sql, 'PIX', ['ref7', 'ref8']),
    writeWithdrawals: async (w) =>
      withdrawals.writeWithdrawals(
        w.sql,
        await withdrawals.selectWithdrawalsById(w.raw, idsOf(w, 'withdrawal')),
      ),
    deleteDue: (w) => withdrawals.deleteDue(w.sql, keysOf(w, 'withdrawal')),
    selectDeparted: (w) => withdrawals.selectDeparted(w.sql, idsOf(w, 'withdrawal')),
    selectDepartedReferences: (w) =>
      withdrawals.selectDepartedReferences(
        w.sql,
        w.some.map((row) => String(w.id('refund', row))),
      ),
  },
  'withdrawals/schedule-queries.ts': {
    selectScheduleByKey: (w) => schedules.selectScheduleByKey(w.sql, w.merchantId, 'key7'),
    countOpen: bounded(
      Infinity,
      'a merchant has at most a hundred that have not ended; here all rows are of one',
      (w) => schedules.countOpen(w.sql, w.merchantId),
    ),
    selectSchedule: (w) => schedules.selectSchedule(w.sql, scheduleOf(w)),
    lockSchedules: (w) => schedules.lockSchedules(w.sql, [scheduleOf(w)]),
    listSchedules: (w) => schedules.listSchedules(w.sql, w.merchantId, page),
    selectDueSchedules: (w) => schedules.selectDueSchedules(w.sql, 50),
    writeSchedules: async (w) =>
      schedules.writeSchedules(w.sql, await schedules.lockSchedules(w.raw, [scheduleOf(w)])),
    addChanger: (w) => schedules.addChanger(w.sql, scheduleOf(w), w.id('api_key', 2)),
    selectChangers: (w) => schedules.selectChangers(w.sql, [scheduleOf(w)]),
    endSchedules: everything('a merchant has at most a hundred open schedules', (w) =>
      schedules.endSchedules(w.sql, w.merchantId),
    ),
    postponeSchedule: (w) => schedules.postponeSchedule(w.sql, scheduleOf(w), 1),
  },
  'withdrawals/list-queries.ts': {
    searchWithdrawals: [
      { amountMinor: 777n },
      { amountMinor: 1n },
      { endToEndId: 'e2e7' },
      { txHash: '0x7' },
      { destinations: [['rare@example.com', 'x']] },
      { destinations: [['ana@example.com']] },
      { amountMinor: 1n, status: 'FAILED' },
    ].map(
      (by): Call =>
        (w) =>
          lists.searchWithdrawals(w.sql, w.merchantId, { limit: 50, ...by }, []),
    ),
    selectListed: (w) =>
      lists.selectListed(
        w.sql,
        w.merchantId,
        w.some.map((row) => w.id('withdrawal', row)),
      ),
    selectOperatorPage: (['open', 'review', 'approval', 'pending', 'processing', 'all'] as const).flatMap(
      (selection) =>
        [true, false].map((isOldestFirst) => (w: World) => {
          const after = w.id('withdrawal', isOldestFirst ? 1 : w.size)
          return lists.selectOperatorPage(w.sql, { selection, isOldestFirst, after, limit: 51 })
        }),
    ),
    selectForOperator: [
      (w) => lists.selectForOperator(w.sql, 'open', 50),
      (w) => lists.selectForOperator(w.sql, 'review', 50),
      (w) => lists.selectForOperator(w.sql, 'approval', 50),
      (w) => lists.selectForOperator(w.sql, 'all', 50),
    ],
    listWithdrawals: [
      (w) => lists.listWithdrawals(w.sql, w.merchantId, page),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, from: w.at(1), to: w.at(40) }),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, status: 'PENDING_APPROVAL' }),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, type: 'CRYPTO' }),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, currency: 'EUR' }),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, status: 'COMPLETED', type: 'CRYPTO' }),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, id: w.id('withdrawal', w.some[0] ?? 1) }),
      (w) => lists.listWithdrawals(w.sql, w.merchantId, { ...page, batchId: batchOf(w).id }),
      (w) =>
        lists.listWithdrawals(w.sql, w.merchantId, { ...page, batchId: batchOf(w).id, status: 'PENDING' }),
    ],
  },
  'withdrawals/due-queries.ts': {
    claimDue: (w) => dueWithdrawals.claimDue(w.sql, slots, leaseMs),
    postponeDue: async (w) =>
      dueWithdrawals.postponeDue(w.sql, await dueOf(w), { waitMs: 1, wasNotSent: true }),
    releaseDue: async (w) => dueWithdrawals.releaseDue(w.sql, await dueOf(w), 1),
    lockClaims: (w) => dueWithdrawals.lockClaims(w.sql, idsOf(w, 'withdrawal').map(claimOf)),
    dropDue: async (w) => dueWithdrawals.dropDue(w.sql, await dueOf(w)),
    hastenDue: (w) => dueWithdrawals.hastenDue(w.sql, 'PIX', ['ref7', 'ref8']),
    retryNow: (w) => dueWithdrawals.retryNow(w.sql, must(idsOf(w, 'withdrawal')[0], 'there is one')),
  },
  'audit/withdrawals-queries.ts': {
    selectReplayed: paged(verifyWithdrawals.selectReplayed),
    selectWithdrawalsAmong: (w) => verifyWithdrawals.selectWithdrawalsAmong(w.sql, idsOf(w, 'withdrawal')),
    selectRequested: paged(verifyWithdrawals.selectRequested),
    selectDue: paged(verifyWithdrawals.selectDue),
    selectBatches: everything('joins the withdrawals of a page of batches', (w) =>
      verifyWithdrawals.selectBatches(w.sql, undefined, 10),
    ),
    selectCounted: (w) => verifyWithdrawals.selectCounted(w.sql, w.merchantId),
    selectRefunds: (w) => verifyWithdrawals.selectRefunds(w.sql, w.merchantId, undefined, 50),
    selectCountedForNothing: everything(
      'goes once through all days, for merchants without a withdrawal',
      (w) => verifyWithdrawals.selectCountedForNothing(w.sql, undefined, 100),
    ),
    selectDay: everything('adds up the withdrawals of one merchant and day', (w) =>
      verifyWithdrawals.selectDay(w.sql, {
        merchantId: w.merchantId,
        type: 'PIX',
        currency: 'BRL',
        day: '2025-01-02',
      }),
    ),
    selectNotified: (w) => verifyWithdrawals.selectNotified(w.sql, keysOf(w, 'withdrawal')),
    selectStates: paged(verifyWithdrawals.selectStates),
  },
}
