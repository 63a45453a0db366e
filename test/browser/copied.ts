import type { Page } from 'playwright-core'

/** Returns the copied text. The button says "copied" for only two seconds, so the wait starts before the press. */
export async function copiedBy(page: Page, press: () => Promise<unknown>): Promise<unknown> {
  await Promise.all([page.locator('[data-done="copied"]').waitFor(), press()])
  return page.evaluate('navigator.clipboard.readText()')
}
