// axe-core in the page under test: the findings that a machine can make against WCAG 2.2 AA.
import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** Parsed once for each document. It asks itself in frames by messages, and those may be of another origin. */
const source = `if (window.axe === undefined) {
  ${await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
  axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })
}`

/**
 * Every finding, one line each, and every text whose contrast could not be measured. The page's context must bypass its
 * content security policy where that is strict, because axe is a script of ours, not of the page. `frames`: look into
 * these too.
 */
export async function axeFindings(
  page: Page,
  { frames = [] }: { readonly frames?: readonly Frame[] } = {},
): Promise<readonly string[]> {
  for (const frame of new Set([page.mainFrame(), ...frames])) await frame.evaluate(source)
  const results = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations", "incomplete"] })',
  )
  if (results.passes.length < 10) throw new Error('axe looked at hardly anything')
  const unmeasured = results.incomplete.filter(({ id }) => id === 'color-contrast')
  return [...results.violations, ...unmeasured].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
