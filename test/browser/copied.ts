import type { Page } from 'playwright-core'

/** What a press copied. The button says so for two seconds alone, so whoever waits for the word begins before the press. */
export async function copiedBy(page: Page, press: () => Promise<unknown>): Promise<unknown> {
  await Promise.all([page.locator('[data-done="copied"]').waitFor(), press()])
  return page.evaluate('navigator.clipboard.readText()')
}
