import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPageAssets } from './page-assets.ts'

const styles = [readPageAssets().liveStyle, readPageAssets().style].map(({ body }) => body.toString('utf8'))

test('every text colour reaches 4.5:1 on every background it is used on, in light and in dark', () => {
  const [light = '', dark = ''] = [0, 1].map((at) =>
    styles.map((style) => style.split('@media (prefers-color-scheme: dark)')[at]).join('\n'),
  )
  for (const [scheme, css] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const pairs = ['ink', 'ink-soft', 'accent-text', 'good', 'wait', 'bad'].flatMap((text) =>
      ['paper', 'card', 'inset'].map((ground) => [text, ground] as const),
    )
    for (const [text, ground] of [...pairs, ['paper', 'ink'] as const]) {
      const ratio = contrast(luminance(token(css, text)), luminance(token(css, ground)))
      assert.ok(ratio >= 4.5, `${scheme}: ${text} on ${ground} is ${ratio.toFixed(2)}`)
    }
  }
})

test('the files are small, and load nothing from elsewhere', () => {
  const { script, liveScript, icon } = readPageAssets()
  const style = styles.join('\n')
  assert.ok(script.body.length + liveScript.body.length < 8_192)
  assert.ok(style.length < 12_288)
  for (const { body } of [script, liveScript, icon])
    assert.ok(!/https?:\/\/(?!www\.w3\.org\/)/.test(body.toString('utf8')))
  assert.ok(!/url\(|@import/.test(style))
})

type Oklch = { readonly l: number; readonly c: number; readonly h: number }

function token(css: string, name: string): Oklch {
  const found = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(css)
  assert.ok(found, name)
  return { l: Number(found[1]), c: Number(found[2]), h: Number(found[3]) }
}

/** Relative luminance (WCAG 2.2) by way of linear sRGB (CSS Color 4, 9.3), clipped to what a screen shows. */
function luminance({ l, c, h }: Oklch): number {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  const red = clip(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short)
  const green = clip(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short)
  const blue = clip(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
