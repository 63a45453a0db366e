// A merchant's balance: what was received, less what was refunded or is being refunded.
import { now } from '../kit/clock.ts'
import type { Fields } from '../kit/fields.ts'
import { fail } from './errors.ts'
import { fixed } from './money.ts'
import type { Merchant } from './state.ts'
import { required } from './terms.ts'
import type { Wallet } from './wallet.ts'

/** `POST /v2/balance`. There is one coin, and it lies in the funding wallet. */
export function readBalance(_: Wallet, { balance }: Merchant, body: Fields) {
  const wallet = required(body, 'wallet', 32)
  if (wallet !== 'FUNDING_WALLET' && wallet !== 'SPOT_WALLET') throw fail('400102', 'wallet')
  const asset = body['currency'] ?? 'USDT'
  if (asset !== 'USDT') throw fail('400102', 'currency')
  const available = fixed(wallet === 'FUNDING_WALLET' ? balance : 0n)
  const zero = fixed(0n)
  return {
    balance: [{ asset, available, freeze: zero, locked: zero, withdrawing: zero }],
    wallet,
    updateTime: now(),
    fiat: 'USD',
  }
}
