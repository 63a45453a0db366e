// The digest of a page of lost attempts, as the audit log keeps it. The chain seals that entry, so a row that is changed, added
// or removed afterwards is found (audit/restores.ts).
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'

/** What never changes of a lost attempt. */
export type DigestedRow = {
  readonly merchantId: string
  readonly paymentId: string
  readonly attemptId: string
  readonly epoch: number
  readonly method: string
  readonly connection: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly issuedAt: Date
}

/** In hex, whatever the order of the rows. */
export function digestOf(rows: readonly DigestedRow[]): string {
  const texts = rows.map((row) =>
    canonicalJson([
      row.merchantId,
      row.paymentId,
      row.attemptId,
      row.epoch,
      row.method,
      row.connection,
      String(row.amountMinor),
      row.currency,
      row.issuedAt.toISOString(),
    ]),
  )
  return sha256(texts.sort().join('\n')).toString('hex')
}
