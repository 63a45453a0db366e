// The dependencies of the API's routes in a contender: with the database, with batches of one item, or with a creator that answers from
// memory and never uses the database.
import { randomBytes } from 'node:crypto'
import { connect } from '#/db/client.ts'
import type { HttpDeps } from '#/http/deps.ts'
import { createIssuanceLog } from '#/issuance/log.ts'
import { selectBooks } from '#/issuance/queries.ts'
import { newId } from '#/kernel/id.ts'
import { createLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { createAuthenticator } from '#/merchants/authenticator.ts'
import { authorisationKind } from '#/payments/capture-kind.ts'
import { createCapturer } from '#/payments/capture.ts'
import { createPaymentCreator, type PaymentCreator } from '#/payments/create.ts'
import { endKind } from '#/payments/end.ts'
import { unpaid } from '#/payments/payment.ts'
import { listRails } from '#/rails/all.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { createPixRail } from '#/rails/pix/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundKind } from '#/refunds/request.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { settleKind } from '#/settlement/settle.ts'
import { createWalletKind, openStartingWallets } from '#/wallets/create.ts'
import { announce } from '#/webhooks/announce.ts'
import { createWaitingReaders } from '#/webhooks/waiting-readers.ts'
import { batchDecisionKind } from '#/withdrawals/decide-batch.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalBatchKind } from '#/withdrawals/request-batch.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { pages } from '../page-hosts.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { bookOf } from '../rails/rail.ts'
import { benchChain } from './chain.ts'
import { cell, type Place } from './place.ts'

export type HttpPartsOptions = {
  readonly place: Place
  readonly creator: 'lane' | 'one by one' | 'memory'
  /** Offers PIX too, by this connection. */
  readonly pix?: ProviderConnection
  /** Folder of its issuance log. Absent: what it hands out is not written down. */
  readonly issuedIn?: string
}

const policy = { allowHttp: true, allowLoopback: true }

export async function openHttpParts({
  place,
  creator: kind,
  pix: connection,
  issuedIn: folder,
}: HttpPartsOptions) {
  const log = createLog('warn', { role: 'bench', cell: 'a1' })
  const sql = connect(place.url)
  const pix = connection && createPixRail({ connections: bookOf([connection]), clock: systemClock, log })
  const rails = listRails([createCryptoRail(() => [benchChain]), ...(pix === undefined ? [] : [pix])])
  const lane = await createLedgerLane({
    openSql: () => connect(place.url, { max: 1 }),
    cell,
    auditKey: Buffer.from(place.auditKey),
    announce,
    log,
    ...(kind === 'one by one' ? { itemsMax: 1 } : {}),
  })
  const authenticator = createAuthenticator({
    sql,
    pepper: Buffer.from(place.pepper),
    log,
  })
  const itemsMax = kind === 'one by one' ? 1 : 500
  const issuance =
    folder === undefined
      ? undefined
      : createIssuanceLog({ folder, books: () => selectBooks(sql), clock: systemClock, log })
  const made = { pages, sql, rails, ledger: lane, clock: systemClock, log, itemsMax }
  const creator =
    kind === 'memory' ? memoryCreator() : createPaymentCreator({ ...made, issue: issuance?.write })
  const settling = settleKind(rails)
  const settle = (receipts: readonly Receipt[]) => lane.submit(settling, { receipts })
  const deps: HttpDeps = {
    log,
    clock: systemClock,
    sql,
    rails,
    authenticator,
    keyMint: { pepper: Buffer.from(place.pepper), cell: 'a1' },
    creator,
    lane,
    endKind: endKind(rails),
    capturer: createCapturer({
      sql,
      rails,
      lane,
      kind: authorisationKind(),
      log,
      settle,
    }),
    settle,
    walletKind: createWalletKind(),
    waitingReaders: createWaitingReaders({ sql, log }),
    refundKind: refundKind(rails),
    refundDecisionKind: refundDecisionKind(rails),
    withdrawals: {
      rails: testPayoutRails(),
      kind: withdrawalKind(),
      decisionKind: decisionKind(testPayoutRails()),
      batchKind: withdrawalBatchKind(),
      batchDecisionKind: batchDecisionKind(testPayoutRails()),
    },
    pages,
    webhookPolicy: { LIVE: policy, SANDBOX: policy },
    endpointSealKey: randomBytes(32),
    newMerchants: { sealKey: randomBytes(32), openWallets: openStartingWallets },
    ready: async () => [],
  }
  return {
    deps,
    log,
    async close() {
      await authenticator.close()
      await creator.close()
      await issuance?.close()
      await pix?.stop()
      await lane.close()
      await sql.end({ timeout: 5 })
    },
  }
}

function memoryCreator(): PaymentCreator {
  return {
    assertPossible: async () => {},
    create: async (merchant, _key, request) => ({
      replayed: false,
      fields: {},
      payment: {
        merchantId: merchant.id,
        id: newId(),
        mode: merchant.mode,
        request,
        status: 'WAITING_PAYMENT',
        amountMinor: BigInt(request.amount),
        currency: 'USDT',
        methods: ['CRYPTO'],
        ...unpaid,
        version: 1,
        createdAt: systemClock.now(),
        expiresAt: systemClock.now(),
      },
    }),
    close: async () => {},
  }
}
