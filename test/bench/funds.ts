// Money for a merchant's wallet, more than any run spends.
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { announce } from '#/webhooks/announce.ts'
import { move, posting } from '../books.ts'
import { cell, type Place } from './place.ts'

const funds = 10n ** 15n

/** Puts it on the default wallet in BRL. */
export async function fund({ url, merchantId, auditKey }: Place): Promise<void> {
  const sql = connect(url, { max: 1 })
  const openSql = () => connect(url, { max: 1 })
  const key = Buffer.from(auditKey)
  const lane = await createLedgerLane({ openSql, cell, auditKey: key, announce, log: silentLog })
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId, currency: 'BRL' }])
  const available = walletAvailable('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
  await lane.submit(move, { postings: [posting(provider('SANDBOX', 'a1-funds', 'BRL'), available, funds)] })
  await lane.close()
  await sql.end()
}
