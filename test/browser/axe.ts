// Runs axe-core in the page under test: the violations of WCAG 2.2 AA that a program can find.
import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** Parsed once for each document. axe sends messages to its copies in frames, which may be of another origin. */
const source = `if (window.axe === undefined) {
  ${await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
  axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })
}`

/**
 * The findings of axe.
 * - A dialog below another dialog is hidden during the run, because axe cannot measure a text of several lines above it.
 * - Incomplete findings behind an open dialog are dropped. That part is inactive, and WCAG 2.2 requires no contrast of inactive parts
 *   (1.4.3). The dialog's shade covers it, so axe cannot measure an empty field there.
 * - Incomplete findings in a drawing are dropped: axe takes a box of the drawing for something above the text in it. Its colours are tokens.
 */
const run = `(() => {
  const below = [...document.querySelectorAll('[data-base-ui-portal][data-base-ui-inert]')]
  const show = (display) => below.forEach(({ style }) => { style.display = display })
  show('none')
  return axe.run(document, { resultTypes: ["violations", "incomplete"] }).finally(() => show(''))
})().then((results) => {
  const isBehind = ({ target: [first, ...inFrame] }) =>
    inFrame.length === 0 && document.querySelector(first)?.closest('[data-base-ui-inert]') != null
  const isInDrawing = ({ target: [first] }) => document.querySelector(first)?.closest('svg[role=img]') != null
  for (const each of results.incomplete)
    each.nodes = each.nodes.filter((node) => !isBehind(node) && !isInDrawing(node))
  // An open menu stands beside the landmarks. The rule excepts dialogs, and forgets menus.
  const isInMenu = ({ target: [first] }) => document.querySelector(first)?.closest('[role=menu]') != null
  for (const each of results.violations)
    if (each.id === 'region') each.nodes = each.nodes.filter((node) => !isInMenu(node))
  return results
})`

/**
 * Returns one line for each finding and for each text whose contrast could not be measured. axe is not the page's own
 * script, so the browser context must bypass a strict content security policy. `frames`: examine these too.
 */
export async function axeFindings(
  page: Page,
  { frames = [] }: { readonly frames?: readonly Frame[] } = {},
): Promise<readonly string[]> {
  for (const frame of new Set([page.mainFrame(), ...frames])) await frame.evaluate(source)
  const results = await page.evaluate<AxeResults>(run)
  if (results.passes.length < 10) throw new Error('axe examined hardly anything')
  const unmeasured = results.incomplete.filter(({ id }) => id === 'color-contrast')
  return [...results.violations, ...unmeasured].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
