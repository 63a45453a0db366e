// Warnings about the accent of a template's draft: where it is hard to see, and which shade of it the page shows there.
import { contrastsOf } from '#/checkout/stylesheet.ts'
import { parseColour, readColour } from '#/templates/colour.ts'
import { ownAccent } from '#/templates/template.ts'

export type ContrastWarning = {
  readonly pointer: string
  readonly code: 'text_contrast' | 'edge_contrast'
  readonly scheme: 'light' | 'dark'
  /** From 1 to 21, by WCAG 2.2, with two decimals. */
  readonly ratio: number
  readonly needed: number
  /** `#rrggbb`. */
  readonly shade: string
  readonly message: string
}

/** For each scheme in which the page may be shown. A draft whose colour cannot be read has none: that is a fault. */
export function contrastWarnings(draft: unknown): readonly ContrastWarning[] {
  const brand = fieldOf(draft, 'brand')
  const given = fieldOf(fieldOf(brand, 'colors'), 'accent')
  const hex = typeof given === 'string' ? readColour(given) : undefined
  const accent = hex === undefined ? undefined : parseColour(hex)
  // The shades of our own colour were chosen by eye.
  if (accent === undefined || hex === ownAccent) return []
  const theme = fieldOf(brand, 'theme')
  const schemes = (['light', 'dark'] as const).filter((scheme) => theme === scheme || !isScheme(theme))
  return schemes.flatMap((scheme) => {
    const { text, edge } = contrastsOf(accent, scheme)
    const worse = edge.ratio < edge.needed ? warning('edge_contrast', scheme, edge) : undefined
    if (worse !== undefined) return [worse]
    return text.ratio < text.needed ? [warning('text_contrast', scheme, text)] : []
  })
}

function warning(
  code: ContrastWarning['code'],
  scheme: ContrastWarning['scheme'],
  { ratio, needed, shade }: { readonly ratio: number; readonly needed: number; readonly shade: string },
): ContrastWarning {
  const what = code === 'edge_contrast' ? 'a button' : 'text'
  const message = `Its contrast on the ${scheme} page is ${ratio.toFixed(2)}:1, and ${needed}:1 is needed to see ${what}. The page shows ${shade} there.`
  return {
    pointer: '/brand/colors/accent',
    code,
    scheme,
    ratio: Math.floor(ratio * 100) / 100,
    needed,
    shade,
    message,
  }
}

function isScheme(theme: unknown): boolean {
  return theme === 'light' || theme === 'dark'
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
