// Signing itself.
import { signTransaction } from 'viem/accounts'
import { keccak } from './keccak.ts'
import type { SignedTransaction, Transaction } from './transaction.ts'

/**
 * Signs with the 32 bytes of the key. The same transaction always gives the same bytes (RFC 6979). The library needs the
 * key as text, which lives until the next garbage collection and cannot be wiped.
 */
export async function sign(tx: Transaction, secret: Buffer): Promise<SignedTransaction> {
  const { to, value, data, gas, fees } = tx
  const common = { chainId: Number(tx.chainId), nonce: Number(tx.nonce), to, value, data, gas }
  const transaction =
    'gasPrice' in fees
      ? ({ type: 'legacy', ...common, ...fees } as const)
      : ({ type: 'eip1559', ...common, ...fees } as const)
  const raw = await signTransaction({ privateKey: `0x${secret.toString('hex')}`, transaction })
  return { raw, hash: keccak(raw) }
}
