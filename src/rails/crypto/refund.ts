// Refunds of CRYPTO. A transfer cannot be reversed, so the money is sent like a payout: from the hot wallet, to the address that
// the merchant names.
import type { Hex } from 'viem'
import { toChecksum } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import type { PayoutOrder, PayoutRail, PayoutResult, PayoutUnits } from '#/rails/payout-rail.ts'
import type { Refunder, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { selectUnfailedPayouts, selectSenders } from './refund-queries.ts'

/** Creates refunds that are sent as payouts of the same chains. */
export function createCryptoRefunder(
  payouts: Pick<PayoutRail, 'route' | 'send' | 'source'> & {
    readonly units: PayoutUnits
    /** The network of a connection that pays out now. */
    readonly networkOf: (connection: ConnectionId) => string | undefined
  },
  clock: Clock,
): Refunder {
  return {
    paysOutBy: 'CRYPTO',
    async sendersOf(tx, pieces) {
      const transfers = pieces.flatMap(({ connection, paidRef }) => {
        const source = payouts.source(connection)
        const [, txHash, ordinal] = /^(0x[0-9a-f]{64}):(\d+)$/.exec(paidRef) ?? []
        if (source.at !== 'CHAIN' || txHash === undefined) return []
        return [{ chain: source.chain, txHash: txHash as Hex, ordinal: Number(ordinal), paidRef }]
      })
      const senders = await selectSenders(tx, transfers)
      return new Map(
        [...senders].map(([paidRef, sender]) => {
          const cryptoAddress = toChecksum(sender)
          return [paidRef, { text: cryptoAddress, fields: { cryptoAddress } }]
        }),
      )
    },
    async mayStillPay(tx, refunds) {
      return new Set(await selectUnfailedPayouts(tx, refunds))
    },
    destination({ mode, merchantId, connection, cryptoAddress }) {
      const routing = payouts.route({
        mode,
        merchantId,
        currency: 'USDT',
        ...given({ cryptoAddress, cryptoNetwork: payouts.networkOf(connection) }),
      })
      if (!routing.ok) return routing
      if (routing.connection === connection) return { ok: true, fields: routing.destination.fields }
      const detail = 'Nothing is paid out on the network of this payment.'
      return { ok: false, code: 'method_not_available', detail }
    },
    async send(order) {
      return receiptsOf(order, await payouts.send(payoutOf(order), false), clock.now())
    },
    leave: (tx, refunds) => payouts.units.leave(tx, refunds),
  }
}

/** A payout is queued once for each id, so a second call only looks it up. */
function payoutOf({ id, attempt, connection, amount, destination, mayLeave }: RefundOrder): PayoutOrder {
  const { merchantId } = attempt
  const fields = must(destination, 'a refund by CRYPTO names an address')
  return {
    id,
    merchantId,
    reference: id,
    connection,
    amount,
    destination: fields,
    ...given({ mayLeave }),
  }
}

function receiptsOf(order: RefundOrder, result: PayoutResult, at: Date): readonly Receipt[] {
  if (result.state !== 'done' && result.state !== 'refused') return []
  const { id, attempt, connection, amount } = order
  return [
    {
      method: 'CRYPTO',
      attempt,
      connection,
      providerRef: `refund/${id}`,
      outcome: result.state === 'done' ? 'refunded' : 'refund_failed',
      occurrence: 1,
      refund: id,
      amount,
      happenedAt: at,
      evidence: result.evidence,
      ...given({ txHash: result.txHash }),
      ...(result.state === 'refused' ? { failure: { code: result.code, message: result.message } } : {}),
    },
  ]
}
