// The merchant's design as a style sheet of its own: custom properties that the page's style sheet reads. They are computed from
// checked values, all of which are in the address of the style sheet, so no text of a merchant becomes style.
import { fonts, themes } from '#/contract/templates.ts'
import { sha256 } from '#/kernel/secret.ts'
import {
  contrast,
  edgeContrast,
  fromOklch,
  parseColour,
  readableOn,
  textContrast,
  textOn,
  toHex,
  type Light,
} from '#/templates/colour.ts'
import type { Font, PageStyle } from './template.ts'

const radiusMax = 24

/** The backgrounds of text and controls: paper, cards, and insets. The page's own style sheet has the same. */
const grounds = {
  light: [
    fromOklch({ l: 0.984, c: 0.006, h: 75 }),
    fromOklch({ l: 1, c: 0, h: 0 }),
    fromOklch({ l: 0.966, c: 0.009, h: 75 }),
  ],
  dark: [
    fromOklch({ l: 0.185, c: 0.008, h: 60 }),
    fromOklch({ l: 0.222, c: 0.009, h: 60 }),
    fromOklch({ l: 0.19, c: 0.008, h: 60 }),
  ],
} as const

/** The colour of the browser's own bars around the page. */
export const paperColours = { light: toHex(grounds.light[0]), dark: toHex(grounds.dark[0]) }

/** The colour of the cards on which forms stand. */
export const cardColours = { light: toHex(grounds.light[1]), dark: toHex(grounds.dark[1]) }

/** No font is downloaded: each is one that devices have. */
const fontStacks: Readonly<Record<Font, string>> = {
  system: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  rounded: "ui-rounded, 'SF Pro Rounded', 'Arial Rounded MT Bold', Nunito, system-ui, sans-serif",
  serif: "ui-serif, 'Iowan Old Style', Charter, Georgia, Cambria, serif",
  mono: "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}

export type Stylesheet = { readonly path: string; readonly css: string }

/** The style sheet, and its address: a hash of its content, then the values that it is computed from. */
export function stylesheetOf(style: PageStyle): Stylesheet {
  const accent = style.accent === undefined ? undefined : parseColour(style.accent)
  const radius = Math.min(radiusMax, Math.max(0, Math.round(style.radius)))
  const css = writeCss(style, accent, radius)
  const hash = sha256(css).toString('hex').slice(0, 12)
  const colour = accent === undefined ? 'own' : toHex(accent).slice(1)
  return { path: `/t/${hash}.${colour}.${radius}.${style.font}.${style.theme}.css`, css }
}

/**
 * The style sheet of an address. The hash is not compared: for the address of another release, this returns what this release would
 * write.
 */
export function readStylesheetName(name: string): Stylesheet | undefined {
  const [, accent, radius, font, theme] =
    /^[0-9a-f]{12}\.([0-9a-f]{6}|own)\.(\d{1,2})\.([a-z]+)\.([a-z]+)\.css$/.exec(name) ?? []
  const parsed = { font: fonts.find((each) => each === font), theme: themes.find((each) => each === theme) }
  if (accent === undefined || radius === undefined || parsed.font === undefined || parsed.theme === undefined)
    return undefined
  if (Number(radius) > radiusMax) return undefined
  return stylesheetOf({
    ...(accent === 'own' ? {} : { accent: `#${accent}` }),
    radius: Number(radius),
    font: parsed.font,
    theme: parsed.theme,
  })
}

/** Shades of the accent: as a background, for text on it, as text, and as a visible edge. */
export function shadesOf(accent: Light, scheme: 'light' | 'dark') {
  const [paper, card] = grounds[scheme]
  return {
    accent: toHex(accent),
    onAccent: toHex(textOn(accent)),
    accentText: toHex(readableOn(accent, grounds[scheme], textContrast)),
    accentEdge: toHex(readableOn(accent, [paper, card], edgeContrast)),
  }
}

/** How visible the accent is by itself: as text, and as the edge of a control. `shade`: what the page shows in its place. */
export function contrastsOf(accent: Light, scheme: 'light' | 'dark') {
  const [paper, card] = grounds[scheme]
  const { accentText, accentEdge } = shadesOf(accent, scheme)
  const least = (on: readonly Light[]) => Math.min(...on.map((ground) => contrast(accent, ground)))
  return {
    text: { ratio: least(grounds[scheme]), needed: textContrast, shade: accentText },
    edge: { ratio: least([paper, card]), needed: edgeContrast, shade: accentEdge },
  }
}

function writeCss({ font, theme }: PageStyle, accent: Light | undefined, radius: number): string {
  const lines = [
    `:root { color-scheme: ${theme === 'auto' ? 'light dark' : theme}; --radius: ${radius}px; --font: ${fontStacks[font]}; }`,
  ]
  if (accent !== undefined) {
    lines.push(`:root { ${colours(accent, theme === 'dark' ? 'dark' : 'light')} }`)
    if (theme === 'auto')
      lines.push(`@media (prefers-color-scheme: dark) { :root { ${colours(accent, 'dark')} } }`)
  }
  return `${lines.join('\n')}\n`
}

function colours(accent: Light, scheme: 'light' | 'dark'): string {
  const shades = shadesOf(accent, scheme)
  return `--accent: ${shades.accent}; --on-accent: ${shades.onAccent}; --accent-text: ${shades.accentText}; --accent-edge: ${shades.accentEdge};`
}
