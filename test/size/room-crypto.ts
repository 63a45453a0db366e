// The crypto rail: the watcher, deposits, the wallets that send, sweeps, refills, rescues, and what verify compares.
import * as verifyCoins from '#/audit/rails/crypto-coins-queries.ts'
import * as verify from '#/audit/rails/crypto-queries.ts'
import * as coins from '#/coins/queries.ts'
import { must } from '#/kernel/check.ts'
import * as deposits from '#/rails/crypto/queries.ts'
import * as refunds from '#/rails/crypto/refund-queries.ts'
import * as watch from '#/rails/crypto/watch-queries.ts'
import * as book from '#/treasury/coin-movements-queries.ts'
import * as compare from '#/treasury/compare-queries.ts'
import type { KnownChain } from '#/treasury/compare.ts'
import * as gas from '#/treasury/gas-queries.ts'
import * as hot from '#/treasury/hot-wallet-queries.ts'
import * as signatures from '#/treasury/lost-signatures-queries.ts'
import * as outgoing from '#/treasury/outgoing-queries.ts'
import * as payouts from '#/treasury/payout-queries.ts'
import * as refills from '#/treasury/refill-queries.ts'
import * as rescues from '#/treasury/rescue-queries.ts'
import * as sweeps from '#/treasury/sweep-queries.ts'
import { asId } from '../as-id.ts'
import { partly } from '../partly.ts'
import { bounded, everything, notRun, paged, type Registry, type World } from './registry.ts'

const chain = 'bsc'
const hex = (row: number, bytes: number) => `0x${row.toString(16).padStart(2 * bytes, '0')}` as const
const addressOf = (w: World) => hex(w.some[0] ?? 1, 20)
const addresses = (w: World) => w.some.map((row) => hex(row, 20))
const wallet = { chain, address: hex(1, 20) }
const payoutQueue = { chain, purpose: 'PAYOUT' } as const
const refOf = (w: World) => must(w.refs[0], 'a payment')
const block = (w: World) => ({ number: BigInt(w.some[0] ?? 1), hash: hex(w.some[0] ?? 1, 32) })
const idsOf = (w: World, table: string) => w.some.map((row) => w.id(table, row))
const oneOf = (w: World, table: string) => w.id(table, w.some[0] ?? 1)
const chainRow = {
  key: chain,
  chainId: 56n,
  factory: Buffer.alloc(20),
  treasury: Buffer.alloc(20),
  connection: asId<'connection'>('c1'),
  mode: 'LIVE',
} as const
const liveChain = partly<KnownChain>({ key: chain, mode: 'LIVE' })
const comparing = 'compares all that lies on a chain with the books, for an operator and verify'
const lost = 'a chain that is lost, once in its life'
const people = 'what waits for a person'

const oneFee = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
const lostOf = (w: World) =>
  w.some.map((row) => ({
    ...wallet,
    nonce: BigInt(row),
    reference: `r${row}`,
    gas: 1n,
    fees: oneFee,
    cancels: false,
    isRecorded: false,
  }))
const lostTxsOf = (w: World) =>
  lostOf(w).map((each) => ({
    ...each,
    id: oneOf(w, 'chain_tx'),
    to: wallet.address,
    value: 0n,
    data: '0x' as const,
    isBound: false,
  }))

export const cryptoRoom: Registry = {
  'treasury/rescue-queries.ts': {
    writeProposal: (w) =>
      rescues.writeProposal(
        w.sql,
        { move: oneOf(w, 'coin_move'), merchantId: w.merchantId, by: 'a', note: undefined },
        w.now,
      ),
    selectProposals: (w) => rescues.selectProposals(w.sql, idsOf(w, 'coin_move')),
    writeConfirmed: (w) =>
      rescues.writeConfirmed(
        w.sql,
        [{ move: oneOf(w, 'coin_move'), walletId: w.id('wallet', 1), by: 'b' }],
        w.now,
      ),
    selectStrays: everything(people, (w) => rescues.selectStrays(w.sql, chain)),
    selectOwnAddresses: (w) => rescues.selectOwnAddresses(w.sql, chain, addressOf(w), 50),
    selectOwnAddress: (w) => rescues.selectOwnAddress(w.sql, chain, addressOf(w)),
    selectRescues: everything(people, (w) => rescues.selectRescues(w.sql, { chain })),
    selectTx: (w) => rescues.selectTx(w.sql, 'ref7'),
    selectGasSender: (w) => rescues.selectGasSender(w.sql, chain),
    selectWaiting: (w) => rescues.selectWaiting(w.sql, chain),
  },
  'treasury/coin-movements-queries.ts': {
    selectDue: (w) => book.selectDue(w.sql, 50),
    selectDueMoves: (w) => book.selectDueMoves(w.sql, idsOf(w, 'coin_move')),
    selectDueGas: (w) => book.selectDueGas(w.sql, idsOf(w, 'chain_tx')),
    writeBooked: (w) =>
      book.writeBooked(
        w.sql,
        idsOf(w, 'coin_move').map((id) => ({ id, as: 'SWEPT', minor: 1n })),
        w.now,
      ),
    deductHeld: (w) =>
      book.deductHeld(
        w.sql,
        addresses(w).map((address) => ({ chain, address, units: 0n })),
      ),
    meetRefills: (w) => book.meetRefills(w.sql, idsOf(w, 'coin_move'), w.now),
    markGasBooked: (w) => book.markGasBooked(w.sql, idsOf(w, 'chain_tx')),
  },
  'treasury/compare-queries.ts': {
    selectKnownChains: (w) => compare.selectKnownChains(w.sql),
    selectRecordedDeposits: (w) =>
      compare.selectRecordedDeposits(w.sql, chain, { after: addressOf(w), all: false, limit: 50 }),
    selectRecordedPlaces: everything(comparing, (w) => compare.selectRecordedPlaces(w.sql, chain)),
    selectAccounts: (w) => compare.selectAccounts(w.sql, liveChain),
    selectStrangeMoves: [
      (w) => compare.selectStrangeMoves(w.sql, { chain, all: false }),
      (w) => compare.selectStrangeMoves(w.sql, { all: true }),
    ],
    selectStrangePage: (w) => compare.selectStrangePage(w.sql, { chain, limit: 51 }),
    selectInFlight: (w) => compare.selectInFlight(w.sql, chain),
  },
  'coins/queries.ts': {
    selectPlaceAddresses: (w) => coins.selectPlaceAddresses(w.sql, chain),
    deleteMoves: [
      (w) => coins.deleteMoves(w.sql, chain, block(w).hash),
      (w) => coins.deleteMoves(w.sql, chain),
    ],
    finalizeMoves: (w) => coins.finalizeMoves(w.sql, chain, BigInt(w.size)),
  },
  'treasury/gas-queries.ts': {
    selectDueFills: everything('adds up what one wallet was given for gas', (w) =>
      gas.selectDueFills(w.sql, [
        { id: '', chain, wallet: hex(2, 20), totalWei: 9n, evidence: Buffer.alloc(1) },
      ]),
    ),
    selectGasWallets: everything('adds up what each wallet was given for gas', (w) =>
      gas.selectGasWallets(w.sql, chain),
    ),
  },
  'treasury/hot-wallet-queries.ts': {
    isKnownWallet: (w) => hot.isKnownWallet(w.sql, wallet),
    acquireLease: (w) => hot.acquireLease(w.sql, wallet, 5_000),
    holdLease: (w) => hot.holdLease(w.sql, wallet, 0n, 5_000),
    releaseLease: (w) => hot.releaseLease(w.sql, wallet, 0n),
    selectQueued: (w) => hot.selectQueued(w.sql, payoutQueue, { unitsMax: 100n, limit: 50 }),
    reserveNonces: (w) => hot.reserveNonces(w.sql, { ...wallet, fence: 0n }, idsOf(w, 'chain_tx')),
    failAbove: (w) => hot.failAbove(w.sql, { ...wallet, fence: 0n }, 5n),
    selectOldestQueued: (w) => hot.selectOldestQueued(w.sql, payoutQueue, { oldMs: 1_000, without: [] }),
    selectWallet: (w) => hot.selectWallet(w.sql, wallet, 'PAYOUT'),
    selectDepositsAmong: (w) => hot.selectDepositsAmong(w.sql, [hex(1, 20), hex(w.size + 1, 20)]),
    writeWaiting: (w) => hot.writeWaiting(w.sql, wallet, null),
    writeStopped: (w) => hot.writeStopped(w.sql, wallet, ''),
    selectWalletStates: everything('counts what each wallet has in its queue, for an operator', (w) =>
      hot.selectWalletStates(w.sql),
    ),
    liftStop: (w) => hot.liftStop(w.sql, wallet, { reason: '', nextNonce: 0n }),
  },
  'treasury/lost-signatures-queries.ts': {
    insertLost: (w) => signatures.insertLost(w.sql, lostOf(w)),
    raiseNextNonce: (w) => signatures.raiseNextNonce(w.sql, wallet, 5n),
    selectLost: (w) => signatures.selectLost(w.sql, wallet, 50),
    bindLost: (w) => signatures.bindLost(w.sql, wallet, lostTxsOf(w)),
    explainMoves: (w) => signatures.explainMoves(w.sql, chain, [block(w).hash]),
    deleteLost: (w) => signatures.deleteLost(w.sql, wallet, lostTxsOf(w)),
  },
  'treasury/outgoing-queries.ts': {
    selectOpen: (w) => outgoing.selectOpen(w.sql, wallet),
    selectMovedIn: (w) => outgoing.selectMovedIn(w.sql, chain, [hex(w.size + 1, 32), hex(1, 32)]),
    selectHanging: (w) => outgoing.selectHanging(w.sql, wallet, { olderMs: 1_000, limit: 100 }),
    insertAttempts: (w) =>
      outgoing.insertAttempts(
        w.sql,
        idsOf(w, 'chain_tx').map((id, nth) => ({
          id,
          hash: hex(w.size + 1 + nth, 32),
          raw: '0x00',
          fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
          cancels: false,
        })),
        w.now,
      ),
    writeProgress: (w) =>
      outgoing.writeProgress(
        w.sql,
        idsOf(w, 'chain_tx').map((id) => ({ id, state: 'BROADCAST' })),
      ),
    writeCancel: (w) => outgoing.writeCancel(w.sql, oneOf(w, 'chain_tx'), ''),
    writeTaken: (w) => outgoing.writeTaken(w.sql, wallet, [5n, BigInt(w.size) - 12n]),
    writeEnds: (w) =>
      outgoing.writeEnds(
        w.sql,
        wallet,
        [
          {
            id: oneOf(w, 'chain_tx'),
            failure: undefined,
            hash: block(w).hash,
            blockNumber: 1n,
            blockHash: block(w).hash,
            evidence: Buffer.alloc(1),
            gasWei: 1n,
          },
        ],
        w.now,
      ),
  },
  'treasury/payout-queries.ts': {
    selectPayout: (w) => payouts.selectPayout(w.sql, oneOf(w, 'withdrawal')),
    selectStandings: (w) => payouts.selectStandings(w.sql, idsOf(w, 'withdrawal')),
    isOwnDeposit: (w) => payouts.isOwnDeposit(w.sql, chain, addressOf(w)),
    requestCancel: (w) => payouts.requestCancel(w.sql, oneOf(w, 'withdrawal'), '', w.now),
    dropWaiting: (w) => payouts.dropWaiting(w.sql, idsOf(w, 'withdrawal'), ''),
    resolvePayout: (w) => payouts.resolvePayout(w.sql, oneOf(w, 'withdrawal'), 'FINAL', w.now),
    selectEndedPayouts: (w) => payouts.selectEndedPayouts(w.sql),
    countDone: (w) => payouts.countDone(w.sql, idsOf(w, 'withdrawal')),
    deductUnits: (w) => payouts.deductUnits(w.sql, idsOf(w, 'withdrawal')),
    selectPlaces: (w) => payouts.selectPlaces(w.sql, chain),
  },
  'rails/crypto/queries.ts': {
    selectPlaces: (w) => deposits.selectPlaces(w.sql, [asId('c1')]),
    selectPaymentsAt: (w) => deposits.selectPaymentsAt(w.sql, w.merchantId, `0x${'77'.repeat(20)}`),
    selectPaymentsOfTx: (w) =>
      deposits.selectPaymentsOfTx(w.sql, w.merchantId, `0x${(77).toString(16).padStart(64, '0')}`),
    selectTotals: (w) =>
      deposits.selectTotals(
        w.sql,
        w.refs.map((ref) => ({ ...ref, chain })),
      ),
    writeTotals: async (w) =>
      deposits.writeTotals(
        w.sql,
        await deposits.selectTotals(
          w.raw,
          w.refs.map((ref) => ({ ...ref, chain })),
        ),
      ),
    selectAddresses: (w) => deposits.selectAddresses(w.sql, w.refs),
    selectDeposits: (w) => deposits.selectDeposits(w.sql, w.refs, 10),
    selectNamedDeposits: (w) =>
      deposits.selectNamedDeposits(
        w.sql,
        w.refs.map((ref) => ({ ...ref, named: { txHash: hex(9, 32), ordinal: 0 } })),
      ),
    selectDepositPage: [
      (w) => deposits.selectDepositPage(w.sql, refOf(w), { before: undefined, limit: 50 }),
      (w) =>
        deposits.selectDepositPage(w.sql, refOf(w), {
          before: { at: w.now, blockNumber: BigInt(w.size), logIndex: 0 },
          limit: 50,
        }),
    ],
    ensureChain: notRun('once for each start, on two small tables'),
    selectFollowedChain: (w) => deposits.selectFollowedChain(w.sql, chain),
    selectChainPlaces: everything(lost, (w) => deposits.selectChainPlaces(w.sql, chain)),
    isOnChain: (w) => deposits.isOnChain(w.sql, chain, addressOf(w), block(w).hash),
  },
  'treasury/refill-queries.ts': {
    selectHotState: (w) =>
      refills.selectHotState(w.sql, chain, { hot: hex(1, 20), treasury: hex(3, 20), agedMs: 1_000 }),
    selectRefills: (w) => refills.selectRefills(w.sql, 20),
    selectOpenRefill: (w) => refills.selectOpenRefill(w.sql, chain),
    endRefills: (w) => refills.endRefills(w.sql, chain, w.now),
    cancelRefill: (w) => refills.cancelRefill(w.sql, chain, w.now),
    selectHotPlace: (w) => refills.selectHotPlace(w.sql, chain),
    holdsTreasury: (w) => refills.holdsTreasury(w.sql, chain, hex(3, 20)),
  },
  'rails/crypto/refund-queries.ts': {
    selectSenders: (w) =>
      refunds.selectSenders(w.sql, [{ chain, txHash: hex(w.some[0] ?? 1, 32), ordinal: 0, paidRef: 'ref7' }]),
    selectUnfailedPayouts: (w) => refunds.selectUnfailedPayouts(w.sql, idsOf(w, 'refund')),
  },
  'treasury/sweep-queries.ts': {
    selectSweepable: (w) => sweeps.selectSweepable(w.sql, chain, { unitsMin: 1n, limit: 200 }),
    countOpenSweeps: (w) => sweeps.countOpenSweeps(w.sql, chain),
    selectEndedSweeps: (w) => sweeps.selectEndedSweeps(w.sql, chain, 10),
    forgetEnded: everything(lost, (w) => sweeps.forgetEnded(w.sql, chain, w.now)),
    deleteSwept: (w) => sweeps.deleteSwept(w.sql, oneOf(w, 'chain_tx'), addresses(w)),
    postponeSweeps: (w) => sweeps.postponeSweeps(w.sql, oneOf(w, 'chain_tx'), addresses(w), ''),
    selectWaitingSweeps: (w) => sweeps.selectWaitingSweeps(w.sql, chain),
    selectWaitingPage: (w) => sweeps.selectWaitingPage(w.sql, { chain, after: addressOf(w), limit: 51 }),
  },
  'audit/rails/crypto-coins-queries.ts': {
    selectTransfersOf: (w) => verifyCoins.selectTransfersOf(w.sql, idsOf(w, 'payment')),
    selectMoveRows: (w) => verifyCoins.selectMoveRows(w.sql, oneOf(w, 'coin_move'), 50),
    selectGasRows: (w) => verifyCoins.selectGasRows(w.sql, oneOf(w, 'chain_tx'), 50),
    selectFillRows: (w) => verifyCoins.selectFillRows(w.sql, w.id('gas_fill', 5), 50),
    selectCoinsAmong: (w) => verifyCoins.selectCoinsAmong(w.sql, idsOf(w, 'coin_move')),
    selectPlaceRows: everything(comparing, (w) => verifyCoins.selectPlaceRows(w.sql, chainRow)),
    selectCoinSums: everything(comparing, (w) => verifyCoins.selectCoinSums(w.sql, chainRow)),
    selectPayoutRows: paged((sql, after: Parameters<typeof verifyCoins.selectPayoutRows>[2], limit) =>
      verifyCoins.selectPayoutRows(sql, chainRow, after, limit),
    ),
    selectUnpaidRefunds: everything(comparing, (w) => verifyCoins.selectUnpaidRefunds(w.sql, chainRow)),
    selectWalletSums: everything(comparing, (w) => verifyCoins.selectWalletSums(w.sql, chainRow)),
    selectGasSpent: everything(comparing, (w) => verifyCoins.selectGasSpent(w.sql, chainRow)),
  },
  'audit/rails/crypto-queries.ts': {
    selectChains: (w) => verify.selectChains(w.sql),
    selectAddressRows: (w) =>
      verify.selectAddressRows(w.sql, chainRow, {
        after: Buffer.from(addressOf(w).slice(2), 'hex'),
        upTo: BigInt(w.size),
        limit: 50,
      }),
    selectCounts: (w) => verify.selectCounts(w.sql, chainRow, Buffer.from(addressOf(w).slice(2), 'hex'), 50),
    selectShown: paged((sql, after: Parameters<typeof verify.selectShown>[2], limit) =>
      verify.selectShown(sql, chainRow, after, limit),
    ),
    selectWaiting: everything('reads the inbox, which is short', (w) =>
      verify.selectWaiting(w.sql, asId('c1'), [Buffer.alloc(32, 1)]),
    ),
    selectReceipts: bounded(
      5_000,
      'steps over refunds, of which there are few',
      paged((sql, after: Parameters<typeof verify.selectReceipts>[2], limit) =>
        verify.selectReceipts(sql, chainRow, after, limit),
      ),
    ),
  },
  'rails/crypto/watch-queries.ts': {
    acquireLease: (w) => watch.acquireLease(w.sql, chain, 5_000),
    seizeLease: (w) => watch.seizeLease(w.sql, chain, 5_000),
    endGeneration: (w) => watch.endGeneration(w.sql, chain),
    renewLease: (w) => watch.renewLease(w.sql, chain, 0n, 5_000),
    releaseLease: (w) => watch.releaseLease(w.sql, chain, 0n),
    moveTip: (w) => watch.moveTip(w.sql, chain, { fence: 0n, tip: block(w), leaseMs: 5_000 }),
    writeFinal: (w) => watch.writeFinal(w.sql, chain, block(w)),
    writeHalt: (w) => watch.writeHalt(w.sql, chain, 0n, ''),
    selectChainStates: (w) => watch.selectChainStates(w.sql),
    liftHalt: (w) => watch.liftHalt(w.sql, chain, ''),
    selectBlock: (w) => watch.selectBlock(w.sql, chain, block(w).number),
    selectBlocks: (w) => watch.selectBlocks(w.sql, chain, block(w).number, block(w).number + 50n),
    deleteBlock: (w) => watch.deleteBlock(w.sql, chain, block(w).number),
    deleteBlocksBelow: (w) => watch.deleteBlocksBelow(w.sql, chain, 5n),
    deleteAllBlocks: everything(lost, (w) => watch.deleteAllBlocks(w.sql, chain)),
    selectOwners: (w) => watch.selectOwners(w.sql, chain, addresses(w)),
    orphanSightings: (w) => watch.orphanSightings(w.sql, chain, block(w)),
    orphanAll: (w) => watch.orphanAll(w.sql, chain),
    orphanRepeated: (w) => watch.orphanRepeated(w.sql, chain, BigInt(w.size)),
    finalizeSightings: (w) => watch.finalizeSightings(w.sql, chain, BigInt(w.size), 500),
    selectRecorded: (w) => watch.selectRecorded(w.sql, chain, [block(w).hash]),
    selectOldestDeposit: everything('when a chain is first followed, once', (w) =>
      watch.selectOldestDeposit(w.sql, chain),
    ),
  },
}
