// The first picture of README: the payer's checkout on a phone in front of the dashboard's overview on a desktop, in light.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chosen, now } from './gallery-parts.ts'
import { readPicture, type Shot } from './picture.ts'
import { createShopServer, overviewPath } from './shop-server.ts'
import { openScene, startViewServer } from './view-server.ts'

/** The name of its file. */
export const coverName = 'checkout-and-dashboard'

/** Sharp on a fine display at half its width, and not too large a file. */
const deviceScaleFactor = 1.5
const phone = { width: 360, height: 626 }
const desktop = { width: 1080, height: 797 }
/** Both stand on whole pixels, so that nothing is drawn anew. */
const size = { width: 1264, height: 912 }

const frame = (phoneImage: string, desktopImage: string) => `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #ecdccd }
img { position: absolute; display: block; background: #fff }
.desktop { width: ${desktop.width}px; height: ${desktop.height}px; left: 160px; top: 24px; border-radius: 12px; box-shadow: 0 0 0 1px #d9c4b0 }
.phone { width: ${phone.width}px; height: ${phone.height}px; left: 32px; top: 256px; border-radius: 28px; box-shadow: 0 0 0 8px #2a211b }
</style><img class="desktop" src="${desktopImage}"><img class="phone" src="${phoneImage}">`

export async function shootCover(browser: Browser): Promise<Shot> {
  const [phoneImage, desktopImage] = [await shootPhone(browser), await shootDesktop(browser)]
  return await onPage(browser, size, async (page) => {
    await page.setContent(frame(phoneImage, desktopImage))
    await page.evaluate(`Promise.all([...document.images].map((image) => image.decode()))`)
    return { picture: readPicture(await page.screenshot()), letters: [] }
  })
}

async function shootPhone(browser: Browser): Promise<string> {
  await using server = await startViewServer(chosen({ locale: 'en', fields: [] }))
  return await onPage(
    browser,
    phone,
    async (page) => {
      await openScene(page, server)
      return imageOf(page)
    },
    { isMobile: true, hasTouch: true },
  )
}

async function shootDesktop(browser: Browser): Promise<string> {
  await using server = await createShopServer()
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  return await onPage(browser, desktop, async (page) => {
    await page.clock.setFixedTime(now)
    await page.goto(origin + overviewPath)
    // The last of what is loaded: under each chart there is a table.
    await page.getByText('See as a table').nth(1).waitFor()
    await page.evaluate('document.fonts.ready.then(() => {})')
    return imageOf(page)
  })
}

async function onPage<T>(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
  act: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor,
    colorScheme: 'light',
    locale: 'en',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    ...options,
  })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}

async function imageOf(page: Page): Promise<string> {
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  return `data:image/png;base64,${png.toString('base64')}`
}
