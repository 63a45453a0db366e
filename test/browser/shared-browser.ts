import type { Browser } from 'playwright-core'
import { share } from '../share-in-process.ts'
import { startBrowser } from './chromium.ts'

/** The browser of this process. Its users close their own contexts, not the browser. */
export function sharedBrowser(): Promise<Browser> {
  return share('browser', startBrowser)
}
