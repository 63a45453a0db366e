// What the commands about merchants and keys share: the database, the merchant that they are about, and the checks that
// real money requires.
import { ConfigError, type Config } from '#/config.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { selectMerchant, type MerchantRow } from '#/merchants/queries.ts'
import { UsageError, type Call, type Office } from './command.ts'

/** Runs `work` with the database open, and always closes it. */
export async function within<Result>(
  { deps }: Call,
  work: (office: Office) => Promise<Result>,
): Promise<Result> {
  const office = await deps.open()
  try {
    return await work(office)
  } finally {
    await office.close()
  }
}

/** The merchant that the first argument names. */
export function merchantOf({ given: [text = ''] }: Call, { sql }: Pick<Office, 'sql'>): Promise<MerchantRow> {
  return merchantNamed(sql, text)
}

/** The merchant with the id that an operator typed. */
export async function merchantNamed(sql: Office['sql'], text: string): Promise<MerchantRow> {
  const merchant = await selectMerchant(sql, merchantIdIn(text))
  if (merchant === undefined) throw noMerchant(text)
  return merchant
}

/** The id of a merchant that an operator typed. */
export function merchantIdIn(text: string): MerchantId {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw noMerchant(text)
  return id as MerchantId
}

function noMerchant(text: string): UsageError {
  return new UsageError(`There is no merchant ${text}.`, 'See ./vintem merchant list.')
}

/**
 * Data of a live merchant must not depend on keys that a sandbox made for itself and that `reset` removes: its secrets could not be
 * decrypted again, and its API keys would no longer be accepted.
 */
export function requireOwnKeys(config: Config, mode: Mode): void {
  if (mode === 'SANDBOX') return
  for (const name of ['VINTEM_MASTER_KEY', 'VINTEM_AUDIT_KEY'] as const) {
    if (config[name] !== '') continue
    const remedy = 'Make one with openssl rand -hex 32, set it for every process, and keep a copy elsewhere.'
    throw new ConfigError(`A live merchant needs ${name}, which is not set.`, remedy)
  }
}
