// What one cell alone may use: an account at a provider, a treasury, a wallet. Two cells with the same one would both count what comes in there,
// and neither would know what the other sends.
import { AppError } from '#/kernel/error.ts'
import { listCells, noCell, type Directory } from './directory.ts'
import { insertClaim, type ClaimKind } from './queries.ts'

export type Claimed = {
  readonly kind: ClaimKind
  /** What tells it from all others: an address, an account, or the digest of a key. Never a secret. */
  readonly account: string
  /** How it is called in the refusal. */
  readonly label: string
}

/**
 * Claims each for this cell; what it has already stays. A claim is for ever: money may still come in there. Throws AppError
 * `invalid_state` for the first that another cell has, `not_found` for a cell that is not in the directory.
 */
export async function claimAll(
  { sql }: Pick<Directory, 'sql'>,
  cell: string,
  claims: readonly Claimed[],
): Promise<void> {
  const cells = await listCells({ sql })
  if (!cells.some(({ code }) => code === cell)) throw noCell(cell)
  for (const { kind, account, label } of claims) {
    const holder = await insertClaim(sql, { kind, account, cell })
    if (holder !== cell)
      throw new AppError(
        'invalid_state',
        `${label} belongs to cell ${holder}: two cells would both count what comes in there. Use another one in cell ${cell}.`,
      )
  }
}
