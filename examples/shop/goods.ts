// What the shop sells. Prices are integers of minor units: 4990 is R$ 49,90.

export type Good = { readonly sku: string; readonly name: string; readonly price: number }

export const goods: readonly Good[] = [
  { sku: 'beans', name: 'Coffee beans, 1 kg', price: 4990 },
  { sku: 'mug', name: 'Mug', price: 3500 },
  { sku: 'filter', name: 'Paper filters, 100', price: 1290 },
]

export type Line = { readonly sku: string; readonly quantity: number }

/** The good of a line; undefined when it is no longer sold. */
export function goodOf({ sku }: Pick<Line, 'sku'>): Good | undefined {
  return goods.find((good) => good.sku === sku)
}

export function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + (goodOf(line)?.price ?? 0) * line.quantity, 0)
}

const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** `R$ 49,90`. A sum of a shop is far below the limit at which a division by 100 is not exact. */
export function priceText(minor: number): string {
  return brl.format(minor / 100)
}
