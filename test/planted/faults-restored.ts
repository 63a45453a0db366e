// Faults after a restore: what had left, and the books have in an earlier state, is given back or paid again.
import type { Fault } from './fault.ts'
import { planted } from './planted.ts'

const earlier = 'src/restored/begin-earlier-state.test.ts'
const files = 'src/rails/sepa/payout.test.ts'

export const restoredFaults: readonly Fault[] = [
  ...planted('withdrawals', 'src/withdrawals/decide.ts', earlier, [
    {
      what: 'what may have left is canceled before money out is confirmed',
      find: 'view.isMoneyOutUnknown && !isEnded(withdrawal)',
      put: 'false',
    },
    {
      what: 'what has left is canceled',
      find: 'if (isEnding(event) && view.departed.has(id)) return false',
      put: '',
    },
  ]),
  ...planted('treasury', 'src/treasury/hot-wallet-queries.ts', earlier, [
    {
      what: 'what was signed before a restore gets a second nonce',
      find: "is_frozen(merchant_id, 'CRYPTO')) and ${isNotLost(sql)}`",
      put: "is_frozen(merchant_id, 'CRYPTO'))`",
    },
  ]),
  ...planted('treasury', 'src/treasury/lost-signatures.ts', earlier, [
    {
      what: 'coins that a lost signature moved stay unexplained',
      find: 'if (hashes.length > 0) await queries.explainMoves(tx, wallet.chain, hashes)',
      put: '',
    },
  ]),
  ...planted('treasury', 'src/restored/money-out.ts', earlier, [
    {
      what: 'the wallet stops for nonces that its journals have',
      find: 'for (const { wallet, nonce } of next) await continueAt(sql, wallet, nonce)',
      put: '',
    },
  ]),
  ...planted('banks', 'src/rails/sepa/match.ts', files, [
    {
      what: 'a payout whose file was lost is paid by the next file too',
      find: "if (payout?.state === 'WAITING') return !isCredit && minor === payout.minor ? payout : undefined",
      put: "if (payout?.state === 'WAITING') return undefined",
    },
    {
      what: 'a debit of another amount is a payout that waits for its file',
      find: '!isCredit && minor === payout.minor ? payout',
      put: '!isCredit ? payout',
    },
  ]),
]
