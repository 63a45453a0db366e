// The account's money at the acquirer: movements, fees, and when it becomes available.
import { seconds } from '../kit/clock.ts'
import { newId, type Acquirer, type KeptTransaction } from './acquirer.ts'
import type { BalanceTransaction, Charge } from './wire.ts'

const daySeconds = 86_400
/** The delay until the money of a charge is available. */
const availableAfterSeconds = 2 * daySeconds
/** The fee of every dispute, in the currency's smallest unit; it is not returned. */
export const disputeFee = 1_500

/** Collects money of a charge. Returns the name of the transaction. */
export function collect(acquirer: Acquirer, account: string, charge: Charge, amount: number): string {
  const { id: source, currency } = charge
  const kind = { reporting_category: 'charge', type: 'charge' } as const
  return move(acquirer, account, { amount, currency, fee: chargeFee(amount), source, ...kind }).id
}

/** The fee of a charge: 2.9 % and 30. */
function chargeFee(amount: number): number {
  return Math.round((amount * 29) / 1000) + 30
}

type Movement = Pick<BalanceTransaction, 'amount' | 'currency' | 'reporting_category' | 'source' | 'type'> & {
  readonly fee?: number
  readonly feeWords?: string
}

export function move(acquirer: Acquirer, account: string, movement: Movement): BalanceTransaction {
  const created = seconds()
  const { fee = 0, feeWords = 'Processing fees', ...rest } = movement
  const waits = rest.type === 'charge'
  const wire: BalanceTransaction = {
    id: newId(acquirer, 'txn'),
    object: 'balance_transaction',
    available_on: created + (waits ? availableAfterSeconds : 0),
    balance_type: 'payments',
    created,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: rest.currency,
              description: feeWords,
              type: 'stripe_fee',
            },
          ],
    net: rest.amount - fee,
    status: waits ? 'pending' : 'available',
    ...rest,
  }
  const availableAt = acquirer.store.clock() + (waits ? availableAfterSeconds * 1000 : 0)
  acquirer.transactions.put(wire.id, { account, wire, availableAt })
  return wire
}

/** The transaction as it is now: a pending one may have become available. */
export function transactionView({ store }: Acquirer, kept: KeptTransaction): BalanceTransaction {
  const { wire, availableAt = wire.available_on * 1000 } = kept
  return { ...wire, status: availableAt <= store.clock() ? 'available' : 'pending' }
}

/** GET /v1/balance. */
export function balanceView(acquirer: Acquirer, account: string, currencies: readonly string[]) {
  const views = [...acquirer.transactions.all()]
    .filter((each) => each.account === account)
    .map((each) => transactionView(acquirer, each))
  const all = [...new Set([...currencies, ...views.map(({ currency }) => currency)])]
  const sums = (status: BalanceTransaction['status']) =>
    all.map((currency) => {
      const amount = views
        .filter((each) => each.currency === currency && each.status === status)
        .reduce((sum, { net }) => sum + net, 0)
      return { amount, currency, source_types: { card: amount } }
    })
  return { object: 'balance', available: sums('available'), livemode: false, pending: sums('pending') }
}
