// The two scales of an amount on a chain. The books, the API and every limit count in base units with 18 decimals, whatever the token; its
// contract has decimals of its own. An amount is converted where a log or a balance is read, and where a transaction is built.
import type { TokenUnits } from '#/evm/token-units.ts'
import { invariant } from '#/kernel/check.ts'

/** Of the books and of the API, for ever. */
export const bookDecimals = 18

/** Base units of the books in one cent. */
export const baseUnitsPerCent = 10n ** 16n

/** Whole cents of an amount in base units; the rest is residue. */
export function wholeCents(baseUnits: bigint): bigint {
  return baseUnits / baseUnitsPerCent
}

type Scale = { readonly decimals: number }

/** Base units of the books. Exact. */
export function toBookUnits(token: Scale, { raw }: TokenUnits): bigint {
  return raw * factorOf(token)
}

/** What the token's contract takes. An amount that the token cannot hold exactly is a fault of the caller, and is never rounded. */
export function toTokenUnits(token: Scale, baseUnits: bigint): TokenUnits {
  const factor = factorOf(token)
  invariant(baseUnits % factor === 0n, `${baseUnits} base units are exact with ${token.decimals} decimals`)
  return { raw: baseUnits / factor }
}

/** Base units in the smallest unit of the token. A token that cannot hold a cent, or holds less than a base unit, is no token of ours. */
function factorOf({ decimals }: Scale): bigint {
  invariant(
    decimals >= 2 && decimals <= bookDecimals,
    `a token has 2 to ${bookDecimals} decimals, not ${decimals}`,
  )
  return 10n ** BigInt(bookDecimals - decimals)
}
