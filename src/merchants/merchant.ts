// The merchant: the tenant. The operator creates it, with what it needs from the first day: a webhook secret and wallets.
import { randomBytes } from 'node:crypto'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { seal, unseal, type KeyRing } from '#/kernel/secret.ts'
import { hourMs, type Clock } from '#/kernel/time.ts'
import * as queries from './queries.ts'

export type MerchantDeps = {
  readonly sql: Sql
  readonly clock: Clock
  /** Encrypts webhook secrets at rest. */
  readonly sealKey: KeyRing
}

/** Creates the wallets that every merchant starts with, in the transaction that creates the merchant. */
export type OpenWallets = (tx: Tx, merchantId: MerchantId, at: Date) => Promise<void>

/** Within the 24 to 64 bytes that Standard Webhooks 1.0.0 asks for. */
const webhookSecretBytes = 24

/** How long the previous webhook secret signs beside the new one. */
const overlapMs = 24 * hourMs

/**
 * Creates a merchant. Its webhook secret is returned here and can be read again; it is stored encrypted. `id`: chosen by a caller that has
 * to find it again; rejects when it is taken.
 */
export async function createMerchant(
  deps: MerchantDeps & { readonly openWallets: OpenWallets },
  request: { readonly mode: Mode; readonly name: string; readonly id?: MerchantId },
): Promise<{ readonly merchant: queries.MerchantRow; readonly webhookSecret: Buffer }> {
  const merchant = {
    id: request.id ?? newId<'merchant'>(),
    mode: request.mode,
    name: request.name,
    createdAt: deps.clock.now(),
  }
  const secret = randomBytes(webhookSecretBytes)
  const webhookSecret = seal(deps.sealKey, webhookSecretPlace(merchant.id), secret)
  await deps.sql.begin(async (tx) => {
    await queries.insertMerchant(tx, { ...merchant, webhookSecret })
    await deps.openWallets(tx, merchant.id, merchant.createdAt)
  })
  return { merchant, webhookSecret: secret }
}

/** The secrets that sign the merchant's webhooks now: the newest first, then for 24 hours, by the database's clock, the one before. */
export async function webhookSecretsOf(
  deps: Pick<MerchantDeps, 'sql' | 'sealKey'>,
  merchantId: MerchantId,
): Promise<readonly Buffer[]> {
  const found = await queries.selectWebhookSecrets(deps.sql, merchantId, overlapMs)
  const { current, previous } = must(found, `merchant ${merchantId} does not exist`)
  const sealed = previous === null ? [current] : [current, previous]
  return sealed.map((each) => unseal(deps.sealKey, webhookSecretPlace(merchantId), each))
}

/** A new webhook secret; the present one signs for 24 hours more. 404 when there is no such merchant. */
export async function rotateWebhookSecret(
  deps: Pick<MerchantDeps, 'sealKey'> & { readonly sql: Tx },
  merchantId: MerchantId,
): Promise<Buffer> {
  const secret = randomBytes(webhookSecretBytes)
  const sealed = seal(deps.sealKey, webhookSecretPlace(merchantId), secret)
  const replaced = await queries.replaceWebhookSecret(deps.sql, merchantId, sealed)
  if (!replaced) throw new AppError('not_found', 'There is no such merchant.')
  return secret
}

/** The place to which a merchant's secrets are bound, one for both columns: the present secret moves to the other column as it is. */
export function webhookSecretPlace(merchantId: MerchantId): string {
  return `merchant/webhook_secret/${merchantId}`
}
