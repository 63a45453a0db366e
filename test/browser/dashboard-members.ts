// The dashboard with its built pages over one installation, and people with browsers.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Pages } from '#/dashboard/deps.ts'
import { createHtmlOf } from '#/dashboard/first-view.ts'
import { readPackedFiles } from '#/edge/packed-file.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { openEndpointSecret } from '#/webhooks/sign.ts'
import { buildDashboardIfStale, type DashboardManifest } from '../../web/build-dashboard.ts'
import { endpointSealKey, type ApiWorld } from '../contract/world.ts'
import { openDashboardWorld, type Person } from '../dashboard/world.ts'
import { loopbackPolicy } from '../webhooks.ts'
import { axeFindings } from './axe.ts'
import { fitsWidths } from './viewports.ts'

const root = join(import.meta.dirname, '..', '..')

/** The pages as they are built now. */
export async function builtPages(): Promise<Pages> {
  await buildDashboardIfStale(root)
  const dist = join(root, 'web', 'dist-dashboard')
  const text = await readFile(join(dist, 'manifest.json'), 'utf8')
  const manifest = JSON.parse(text) as DashboardManifest
  const names = manifest.files.filter((each) => !/\.(?:br|gz)$/.test(each))
  const files = await readPackedFiles(dist, names)
  return { state: 'built', htmlOf: createHtmlOf(manifest), files }
}

export type BrowserWorld = Awaited<ReturnType<typeof openBrowserWorld>>

/** `options`: of the world, but its pages. */
export async function openBrowserWorld(
  browser: Browser,
  options: Parameters<typeof openDashboardWorld>[0] = {},
) {
  const pages = await builtPages()
  const dashboard = await openDashboardWorld({ ...options, pages: () => pages })

  /** A new browser; with a person it is theirs, signed in. Words are English, and axe may examine it. */
  async function open(person?: Person, colorScheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      locale: 'en',
      bypassCSP: true,
      reducedMotion: 'reduce',
    })
    if (person !== undefined) {
      const [name = '', value = ''] = person.cookie.split('=')
      await context.addCookies([{ name, value, url: dashboard.origin, httpOnly: true, sameSite: 'Strict' }])
    }
    return context.newPage()
  }

  return {
    dashboard,
    open,
    /** axe finds nothing, and nothing has to be scrolled sideways. */
    async examine(page: Page, what: string): Promise<void> {
      await page.locator('main [aria-busy=true], main .loading-line').first().waitFor({ state: 'detached' })
      assert.deepEqual(await axeFindings(page), [], what)
      await fitsWidths(page, what)
    },
    close: () => dashboard.close(),
  }
}

/** Sends the site's webhooks until it is disposed of. */
export function deliverWebhooks({ sql }: Pick<ApiWorld, 'sql'>): AsyncDisposable {
  const deliverer = createDeliverer({
    sql,
    clock: systemClock,
    log: silentLog,
    secretsOf: async () => [Buffer.alloc(24, 1)],
    openSecret: (id, sealed) => openEndpointSecret(endpointSealKey, id, sealed),
    policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
    pollMs: 20,
    graceMs: 200,
  })
  const stop = new AbortController()
  const running = deliverer.run(stop.signal)
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
