// An amount as a payer types it. People write 1.234,50 and 1,234.50, with or without the currency's sign.
/** Cents: every currency of a payment link has two decimals. */
const decimals = 2

/**
 * Returns minor units; undefined when the text is no amount. The last separator starts the decimals if one or two digits follow it.
 * All other separators must group three digits each.
 */
export function readTypedAmount(typed: string): number | undefined {
  const bare = typed.replaceAll(/[\s\u00a0\u202f]/g, '').replace(/^(?:R\$|€|US\$|\$)/u, '')
  const [, whole = '', fraction = ''] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(bare) ?? []
  const isGrouped = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(whole)
  const digits = isGrouped ? whole.replaceAll(/[.,]/g, '') : whole
  if (!/^\d{1,12}$/.test(digits)) return undefined
  const minor = BigInt(digits) * 100n + BigInt(fraction.padEnd(decimals, '0'))
  return minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minor) : undefined
}
