// What only one cell may use: an account at a provider, a treasury, a wallet. Two cells with the same account would both count
// what comes in, and neither would know what the other sends.
import { AppError } from '#/kernel/error.ts'
import { listCells, noCell, type Directory } from './directory.ts'
import { insertClaim, type ClaimKind } from './queries.ts'

export type Claimed = {
  readonly kind: ClaimKind
  /** What identifies it: an address, an account, or the digest of a key. Never a secret. */
  readonly account: string
  /** How it is called in the refusal. */
  readonly label: string
}

/**
 * Claims each of them for this cell; what the cell already has stays. A claim never ends, because money may still come in.
 * Throws AppError `invalid_state` for the first claim that another cell has, `not_found` for a cell that is not in the
 * directory.
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
