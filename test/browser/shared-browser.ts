import type { Browser } from 'playwright-core'
import { share } from '../share-in-process.ts'
import { startBrowser } from './chromium.ts'

/** The browser of this process: whoever uses it closes the contexts that they open in it, and not itself. */
export function sharedBrowser(): Promise<Browser> {
  return share('browser', startBrowser)
}
