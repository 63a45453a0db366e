// axe-core in the page under test: the findings that a machine can make against WCAG 2.2 AA.
import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Every finding, one line each, and every text whose contrast could not be measured. The page's context must bypass its
 * content security policy, because axe is a script of ours, not of the page.
 */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(source)
  const results = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations", "incomplete"] })',
  )
  if (results.passes.length < 10) throw new Error('axe looked at hardly anything')
  const unmeasured = results.incomplete.filter(({ id }) => id === 'color-contrast')
  return [...results.violations, ...unmeasured].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
