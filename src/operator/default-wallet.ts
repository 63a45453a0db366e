// The operator chooses the wallet in which a merchant's money of a currency is credited.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { WalletId } from '#/kernel/id.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { makeDefaultWallet } from '#/wallets/update.ts'
import type { Wallet } from '#/wallets/wallet.ts'
import type { Operator } from './deps.ts'

/** Makes the wallet the default of its currency. 404 when there is none, 409 for one that cannot be a default. */
export async function chooseDefaultWallet(
  sql: Sql,
  { by }: Operator,
  id: WalletId,
  reason?: string,
): Promise<{ readonly wallet: Wallet; readonly isChanged: boolean }> {
  const verdict = await makeDefaultWallet(sql, id, async (tx, { merchantId, currency }) => {
    const entry = {
      ...by,
      action: 'wallet.default',
      subject: `wallet:${id}`,
      merchantId,
      after: { currency },
    }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
  })
  if (verdict.kind === 'not_found') throw new AppError('not_found', `There is no wallet ${id}.`)
  const { wallet } = verdict
  if (verdict.kind === 'refused') {
    const what = wallet.isActive ? `a ${wallet.walletType}` : 'inactive'
    throw new AppError(
      'invalid_state',
      `Wallet ${wallet.id} is ${what}. A default wallet is an active SPENDABLE one: choose another, or activate it first.`,
    )
  }
  return { wallet, isChanged: verdict.kind === 'changed' }
}
