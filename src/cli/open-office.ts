// Opens what the commands about merchants and keys work with: the database and the keys derived from the master key.
import type { Config } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { confirmSession } from '#/db/session.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { systemClock } from '#/kernel/time.ts'
import { confirmCell } from '#/ledger/head.ts'
import { confirmKeys } from '#/rekey/fit.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import type { Office } from './command.ts'
import { openCommandDatabase } from './database.ts'
import { masterKeys } from './keys.ts'

export async function openOffice(config: Config): Promise<Office> {
  const keys = await masterKeys(config)
  const database = await openCommandDatabase(config)
  const sql = connect(database.appUrl, { max: 2, applicationName: 'vintem-office' })
  try {
    await confirmSession(sql)
    await confirmCell(sql, config.VINTEM_CELL)
    await confirmKeys(sql, config.VINTEM_CELL, keys)
  } catch (error) {
    await sql.end({ timeout: 5 })
    await database.close()
    throw error
  }
  return {
    sql,
    clock: systemClock,
    sealKey: deriveKey(keys.masterKey, 'webhook secrets'),
    pepper: deriveKey(keys.masterKey, 'api keys'),
    cell: config.VINTEM_CELL,
    openWallets: openStartingWallets,
    close: async () => {
      await sql.end({ timeout: 5 })
      await database.close()
    },
  }
}
