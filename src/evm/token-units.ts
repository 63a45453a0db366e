// Amounts as a token's own contract counts them: in its logs, its balances, and the calls to it.

/** Not a number for the compiler, so that it cannot be mixed with the units of the books, which have 18 decimals for every token. */
export type TokenUnits = { readonly raw: bigint }
