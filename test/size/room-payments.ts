// Payments, their attempts, captures and checks, and what a creation and the payer's page read.
import * as verify from '#/audit/payments-queries.ts'
import * as checkout from '#/checkout/queries.ts'
import { newId } from '#/kernel/id.ts'
import * as connections from '#/merchants/connection-queries.ts'
import * as keys from '#/merchants/key-queries.ts'
import * as merchants from '#/merchants/queries.ts'
import * as links from '#/payment-links/queries.ts'
import * as attempts from '#/payments/attempt-queries.ts'
import * as captures from '#/payments/capture-queries.ts'
import * as checks from '#/payments/check-queries.ts'
import * as payments from '#/payments/queries.ts'
import * as sandbox from '#/sandbox/queries.ts'
import * as sandboxes from '#/sandbox/sandbox-queries.ts'
import { asId } from '../as-id.ts'
import { partly } from '../partly.ts'
import {
  bounded,
  everything,
  leaseMs,
  notRun,
  paged,
  slots,
  claimOf,
  type Registry,
  type World,
} from './registry.ts'

const attemptOf = (w: World) => ({ merchantId: w.merchantId, attemptId: w.id('attempt', w.some[0] ?? 1) })
const attemptsOf = (w: World) =>
  w.some.map((row) => ({ merchantId: w.merchantId, attemptId: w.id('attempt', row) }))
const keysOf = (w: World) => attemptsOf(w).map(({ merchantId, attemptId: id }) => ({ merchantId, id }))
const linkOf = (w: World) => ({
  merchantId: w.merchantId,
  id: w.id('payment_link', 7),
  mode: 'LIVE' as const,
  token: 'token7',
  url: 'url',
  request: { name: 'x', currency: 'BRL', checkout: 'default', expiresIn: 60, amount: 1 },
  currency: 'BRL' as const,
  amount: { minor: 1n },
  createdAt: w.now,
  idempotencyKey: 'key7',
  fingerprint: Buffer.alloc(32),
})
/** An attempt that a worker has claimed. */
const takenOf = (w: World) => {
  const attempt = partly<checks.DueCheck['attempt']>({ ...keysOf(w)[0] })
  return partly<checks.DueCheck>({ attempt, claim: claimOf(attempt.id), claimedAt: w.now })
}
const dueOrderOf = (w: World) => {
  const order = partly<captures.AuthorisationOrder>({ ...attemptOf(w), id: null })
  return partly<captures.DueOrder>({ claim: claimOf('x'), order })
}
const refusedOf = (w: World) => attemptsOf(w).map((each) => ({ ...each, orderId: null, claimed: 1 }))
const page = { limit: 50 }
const few = 'an operator has few of them'

export const paymentsRoom: Registry = {
  'checkout/queries.ts': { selectVersions: (w) => checkout.selectVersions(w.sql, w.refs) },
  'merchants/connection-queries.ts': {
    selectChanged: everything(few, (w) => connections.selectChanged(w.sql, undefined)),
    selectConnection: (w) => connections.selectConnection(w.sql, asId('c2')),
    updateConnection: (w) =>
      connections.updateConnection(w.sql, {
        id: asId('c2'),
        settings: {},
        sealed: null,
        sealedRefunds: null,
      }),
    selectSealedRefunds: [
      (w) => connections.selectSealedRefunds(w.sql, undefined, 100),
      (w) => connections.selectSealedRefunds(w.sql, asId('c2'), 100),
    ],
    updateSealedRefunds: (w) =>
      connections.updateSealedRefunds(w.sql, [
        { id: asId('c2'), before: Buffer.alloc(9), sealed: Buffer.alloc(9) },
      ]),
    setActive: (w) => connections.setActive(w.sql, asId('c2'), true),
    archiveConnections: everything(few, (w) =>
      connections.archiveConnections(w.sql, w.merchantId, new Date()),
    ),
  },
  'merchants/queries.ts': {
    selectFreezes: (w) => merchants.selectFreezes(w.sql, [w.merchantId]),
    isMoneyOutUnknown: (w) => merchants.isMoneyOutUnknown(w.sql),
    isFrozenNow: (w) => merchants.isFrozenNow(w.sql, { merchantId: w.merchantId, rail: 'PIX' }),
    selectAllFreezes: everything(few, (w) => merchants.selectAllFreezes(w.sql)),
    deleteFreeze: (w) =>
      merchants.deleteFreeze(w.sql, { kind: 'FREEZE', merchantId: w.merchantId, rail: null }),
    selectHolders: (w) => merchants.selectHolders(w.sql, [w.id('api_key', 2), w.id('api_key', 3)]),
    selectParentsKeys: (w) =>
      merchants.selectParentsKeys(w.sql, [{ merchantId: w.merchantId, id: w.id('api_key', 2) }]),
    selectFeeRules: (w) => merchants.selectFeeRules(w.sql, [w.merchantId]),
    writeFeeRule: notRun('by the key of one rule, in a transaction of its own that an operator starts'),
    selectPastFeeRules: (w) =>
      merchants.selectPastFeeRules(w.sql, [
        { merchantId: w.merchantId, method: 'PIX', currency: 'BRL', at: w.at(w.some[0] ?? 1) },
      ]),
    selectConnectionModes: (w) => merchants.selectConnectionModes(w.sql, [asId('c2')]),
    selectMerchants: everything('the list of all, for an operator', (w) => merchants.selectMerchants(w.sql)),
    selectMerchant: (w) => merchants.selectMerchant(w.sql, w.merchantId),
    selectMerchantWithSettings: (w) => merchants.selectMerchantWithSettings(w.sql, w.merchantId),
    isArchived: (w) => merchants.isArchived(w.sql, w.merchantId),
    selectWebhookSecrets: (w) => merchants.selectWebhookSecrets(w.sql, w.merchantId, 1_000),
    replaceWebhookSecret: (w) => merchants.replaceWebhookSecret(w.sql, w.merchantId, Buffer.alloc(1)),
  },
  'merchants/key-queries.ts': {
    selectKeys: (w) => keys.selectKeys(w.sql, w.id('merchant', 9)),
    renewDigests: (w) =>
      keys.renewDigests(
        w.sql,
        [
          {
            merchantId: w.merchantId,
            id: w.id('api_key', 2),
            before: Buffer.alloc(32),
            digest: Buffer.alloc(32, 1),
          },
        ],
        Buffer.alloc(8),
      ),
    selectKey: (w) => keys.selectKey(w.sql, w.merchantId, w.id('api_key', 2)),
    selectHeldKeys: (w) => keys.selectHeldKeys(w.sql, w.id('merchant', 9)),
    selectKeysElsewhere: (w) => keys.selectKeysElsewhere(w.sql, w.merchantId, [w.id('api_key', 2)]),
    revokeHeld: (w) => keys.revokeHeld(w.sql, [{ merchantId: w.merchantId, id: w.id('api_key', 2) }]),
    handKeys: (w) =>
      keys.handKeys(w.sql, [{ merchantId: w.merchantId, id: w.id('api_key', 2) }], 'ana@example.com'),
    writeSeatScopes: (w) => keys.writeSeatScopes(w.sql, w.merchantId, w.id('app_user', 2), []),
    listKeys: (w) => keys.listKeys(w.sql, w.merchantId, { limit: 51 }),
    selectKeyOfRequest: (w) => keys.selectKeyOfRequest(w.sql, w.merchantId, 'key1'),
    lockKeys: (w) => keys.lockKeys(w.sql, w.merchantId, [w.id('api_key', 2), w.id('api_key', 3)]),
    lockKeysOf: (w) => keys.lockKeysOf(w.sql, w.merchantId),
    selectSeat: (w) => keys.selectSeat(w.sql, w.merchantId, w.id('app_user', 2)),
    selectSeats: (w) => keys.selectSeats(w.sql, w.merchantId, [w.id('app_user', 2), w.id('app_user', 3)]),
    countInForce: (w) => keys.countInForce(w.sql, w.merchantId, 100),
    writeKey: (w) =>
      keys.writeKey(w.sql, w.merchantId, w.id('api_key', 2), { name: 'x', scopes: [], allowedCidrs: null }),
    writeUses: (w) =>
      keys.writeUses(w.sql, [{ merchantId: w.merchantId, id: w.id('api_key', 2), agoMs: 5 }], 1_000),
    writeExpiry: (w) => keys.writeExpiry(w.sql, w.merchantId, w.id('api_key', 2), w.now),
    writeRevocation: (w) => keys.writeRevocation(w.sql, w.merchantId, w.id('api_key', 2), w.now),
    revokeKeys: (w) => keys.revokeKeys(w.sql, w.id('merchant', 9), w.now),
    selectByDigests: (w) => keys.selectByDigests(w.sql, [Buffer.alloc(32), Buffer.alloc(32, 1)]),
  },
  'payments/attempt-queries.ts': {
    attemptColumns: notRun('a part of other queries'),
    selectAttempts: (w) => attempts.selectAttempts(w.sql, w.refs),
    selectAttemptsById: (w) =>
      attempts.selectAttemptsById(
        w.sql,
        keysOf(w).map(({ id }) => ({ id, connection: asId('c2') })),
      ),
    writeArtifacts: (w) =>
      attempts.writeArtifacts(
        w.sql,
        attemptsOf(w).map((each) => ({ ...each, artifacts: {} })),
      ),
    writeOver: (w) => attempts.writeOver(w.sql, keysOf(w)),
    selectPaidRefs: (w) => attempts.selectPaidRefs(w.sql, w.refs),
    insertCancellations: (w) => attempts.insertCancellations(w.sql, w.refs, ['PIX']),
    insertOverCancellations: (w) => attempts.insertOverCancellations(w.sql, w.refs, 'PIX', w.now),
    insertOtherCancellations: (w) => attempts.insertOtherCancellations(w.sql, w.refs, ['PIX']),
    claimCancellations: (w) => attempts.claimCancellations(w.sql, slots, leaseMs),
    postponeCancellation: (w) => attempts.postponeCancellation(w.sql, takenOf(w), 1),
    deleteCancellation: (w) => attempts.deleteCancellation(w.sql, takenOf(w)),
    selectTried: (w) => attempts.selectTried(w.sql, w.refs),
    writeTerms: (w) =>
      attempts.writeTerms(
        w.sql,
        attemptsOf(w).map((each) => ({ ...each, terms: { expiresAt: '' } })),
      ),
    writeRefusals: (w) =>
      attempts.writeRefusals(
        w.sql,
        attemptsOf(w).map((each) => ({ ...each, refusal: { code: '', message: '', at: '' } })),
      ),
  },
  'payments/capture-queries.ts': {
    selectOrders: (w) => captures.selectOrders(w.sql, keysOf(w)),
    selectOrdersOf: (w) => captures.selectOrdersOf(w.sql, w.refs),
    selectOpenAuthorisations: (w) => captures.selectOpenAuthorisations(w.sql, w.refs),
    insertUnwanted: (w) => captures.insertUnwanted(w.sql, w.refs, w.now),
    endOrders: (w) => captures.endOrders(w.sql, keysOf(w), w.now),
    lockOrders: (w) => captures.lockOrders(w.sql, refusedOf(w)),
    deleteOrders: (w) => captures.deleteOrders(w.sql, refusedOf(w)),
    claimOrders: (w) => captures.claimOrders(w.sql, slots, leaseMs),
    claimOrder: (w) => captures.claimOrder(w.sql, { ...attemptOf(w), id: null }, leaseMs),
    postponeOrder: (w) => captures.postponeOrder(w.sql, dueOrderOf(w), 1),
  },
  'payments/check-queries.ts': {
    insertChecks: (w) => checks.insertChecks(w.sql, attemptsOf(w), ['PIX'], 1_000),
    claimChecks: (w) => checks.claimChecks(w.sql, slots, leaseMs),
    selectCheck: (w) => checks.selectCheck(w.sql, attemptOf(w)),
    writeChecked: (w) => checks.writeChecked(w.sql, takenOf(w), 1_000),
    writeSilence: (w) => checks.writeSilence(w.sql, takenOf(w), 1),
    endCheck: (w) => checks.endCheck(w.sql, takenOf(w)),
    deleteCheck: (w) => checks.deleteCheck(w.sql, takenOf(w)),
    selectUnchecked: (w) => checks.selectUnchecked(w.sql, w.refs),
  },
  'payment-links/queries.ts': {
    insertLink: (w) => links.insertLink(w.sql, { ...linkOf(w), id: newId<'payment-link'>(), token: newId() }),
    countOpenLinks: bounded(
      10_200,
      'counts the open links of one merchant, up to the most that it may have',
      (w) => links.countOpenLinks(w.sql, w.merchantId, 10_000),
    ),
    selectLinkByKey: (w) => links.selectLinkByKey(w.sql, w.merchantId, 'key7'),
    selectLink: (w) => links.selectLink(w.sql, linkOf(w)),
    selectLinkByToken: (w) => links.selectLinkByToken(w.sql, 'token7'),
    listLinks: [
      (w) => links.listLinks(w.sql, w.merchantId, page),
      (w) => links.listLinks(w.sql, w.merchantId, { ...page, isArchived: false }),
    ],
    countUses: bounded(2_000, 'a link’s payments are counted, up to a limit', (w) =>
      links.countUses(w.sql, w.merchantId, [w.id('payment_link', 7), w.id('payment_link', 8)]),
    ),
    archiveLink: (w) => links.archiveLink(w.sql, linkOf(w)),
  },
  'payments/queries.ts': {
    lockLinks: (w) =>
      payments.lockLinks(w.sql, [{ merchantId: w.merchantId, linkId: w.id('payment_link', 7) }]),
    selectMade: (w) =>
      payments.selectMade(w.sql, [{ merchantId: w.merchantId, idempotencyKey: 'never-used' }]),
    countTaken: (w) =>
      payments.countTaken(w.sql, [
        { merchantId: w.merchantId, id: w.id('payment_link', 7), usesMax: 9, isOver: false },
      ]),
    insertPayments: (w) => payments.insertPayments(w.sql, []),
    selectByKeys: (w) =>
      payments.selectByKeys(
        w.sql,
        w.some.map((row) => ({ merchantId: w.merchantId, idempotencyKey: `key${row}` })),
      ),
    selectPayments: (w) => payments.selectPayments(w.sql, w.refs),
    loadPayments: (w) => payments.loadPayments(w.sql, w.refs),
    loadMoved: async (w) => {
      const found = await payments.selectPayments(w.raw, w.refs)
      const checkouts = found.map(({ request, ...payment }) => {
        return { ...payment, mode: 'SANDBOX', request: { ...request, checkout: 'default' } } as const
      })
      return payments.loadMoved(w.sql, checkouts)
    },
    selectPendingRefunds: (w) => payments.selectPendingRefunds(w.sql, w.refs),
    writePayers: async (w) => payments.writePayers(w.sql, await payments.selectPayments(w.raw, w.refs)),
    selectByPageToken: (w) => payments.selectByPageToken(w.sql, 'token7'),
    listPayments: [
      (w) => payments.listPayments(w.sql, w.merchantId, page),
      (w) => payments.listPayments(w.sql, w.merchantId, { ...page, before: w.id('payment', w.some[0] ?? 1) }),
      (w) => payments.listPayments(w.sql, w.merchantId, { ...page, from: w.at(1), to: w.at(40) }),
      (w) => payments.listPayments(w.sql, w.merchantId, { ...page, status: 'FAILED' }),
      (w) => payments.listPayments(w.sql, w.merchantId, { ...page, currency: 'EUR' }),
      (w) =>
        payments.listPayments(w.sql, w.merchantId, {
          ...page,
          status: 'FAILED',
          from: w.at(1),
          to: w.at(40),
        }),
      (w) => payments.listPayments(w.sql, w.merchantId, { ...page, status: 'PAID', currency: 'EUR' }),
      everything(
        'a payment may offer several methods: an index on the list of them would cost each payment more than it gives',
        (w) => payments.listPayments(w.sql, w.merchantId, { ...page, method: 'PARTNER_PAY' }),
      ),
    ],
    selectDue: (w) => payments.selectDue(w.sql, 600_000, 100),
    writePayments: async (w) => payments.writePayments(w.sql, await payments.selectPayments(w.raw, w.refs)),
  },
  'audit/payments-queries.ts': {
    selectRequested: paged((sql, after: Parameters<typeof verify.selectRequested>[1], limit) =>
      verify.selectRequested(sql, after, { limit, connected: [] }),
    ),
    selectNotified: (w) =>
      verify.selectNotified(
        w.sql,
        w.some.map((row) => ({ merchantId: w.merchantId, id: w.id('payment', row) })),
      ),
    selectStates: everything(
      'goes once through all payments; those of other states lie between',
      paged((sql, after: Parameters<typeof verify.selectStates>[2], limit) =>
        verify.selectStates(sql, ['EXPIRED', 'FAILED'], after, limit),
      ),
    ),
    selectClosings: paged(verify.selectClosings),
  },
  'sandbox/sandbox-queries.ts': {
    selectSandboxes: everything('the list of all, for an operator', (w) => sandboxes.selectSandboxes(w.sql)),
    selectReady: everything('a start connects them all', (w) => sandboxes.selectReady(w.sql)),
    selectNamed: (w) => sandboxes.selectNamed(w.sql, 'sandbox 7'),
    lockSandbox: (w) => sandboxes.lockSandbox(w.sql, w.id('merchant', 9)),
    writeReady: (w) => sandboxes.writeReady(w.sql, w.id('merchant', 9)),
    writeArchived: (w) => sandboxes.writeArchived(w.sql, w.id('merchant', 9)),
    selectLastExpiry: everything('the open payments of one sandbox', (w) =>
      sandboxes.selectLastExpiry(w.sql, w.merchantId),
    ),
  },
  'sandbox/queries.ts': {
    keepWebhook: bounded(600, 'counts the webhooks that it keeps', (w) =>
      sandbox.keepWebhook(w.sql, {
        id: w.id('other', 1),
        receivedAt: w.now,
        headers: {},
        body: Buffer.alloc(1),
        verified: true,
      }),
    ),
    latestWebhooks: (w) => sandbox.latestWebhooks(w.sql, 50),
  },
}
