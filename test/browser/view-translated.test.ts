// The open page under a browser's translator: whatever it has put in place of our texts, each new state is read whole.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { isSoak, partOf } from '../counts.ts'
import { portugueseScenes, scenes, stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { translate } from './translator.ts'
import { openScene, startViewServer, type ViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

/** What a payer reads, line by line, without the translator's marks. The frame's own texts come from elsewhere; seconds pass meanwhile. */
const lines = `(root) => {
  const page = root.cloneNode(true)
  for (const each of page.querySelectorAll('.frame')) each.remove()
  for (const each of page.querySelectorAll('.returning')) each.textContent = each.textContent.replaceAll(/\\d+/g, '#')
  for (const each of page.querySelectorAll('font')) each.replaceWith(...each.childNodes)
  for (const each of page.querySelectorAll('h1,h2,h3,p,li,dt,dd,button,a,label,summary,option')) each.append('\\n')
  return page.textContent.replaceAll(/[«»]/g, '').split('\\n').map((line) => line.trim()).filter((line) => line !== '')
}`

/** The state after the one shown, with as much time left as it has; its description tells it apart. */
async function change(page: Page, server: ViewServer, state: PageState): Promise<void> {
  const { version: last, now } = server.state
  const version = last + 1
  const { expires } = state
  const left = Date.parse(expires?.at ?? now) - Date.parse(state.now)
  server.state = {
    ...state,
    ...(expires === undefined
      ? {}
      : { expires: { ...expires, at: new Date(Date.parse(now) + left).toISOString() } }),
    version,
    now,
    description: `#${version}#`,
    isFinal: false,
  }
  server.push()
  await page.getByText(`#${version}#`).waitFor()
}

/** What a new page shows. */
async function written(parser: Page, server: ViewServer): Promise<unknown> {
  const html = JSON.stringify(await fetch(server.url).then((answer) => answer.text()))
  return parser.evaluate(
    `(${lines})(new DOMParser().parseFromString(${html}, 'text/html').querySelector('#page'))`,
  )
}

test('a translated page shows every next state as a new page would, whichever came before', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const [parser, page] = [await browser.newPage(), await browser.newPage()]
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await translate(page)
  await openScene(page, server)
  await server.opened()
  // From each state to the next, and to those further on, until all pairs have been.
  const strides = partOf([1, ...portugueseScenes.keys()].slice(0, -1), isSoak ? 1 : 20, 0)
  for (const stride of strides)
    for (const [index, from] of portugueseScenes.entries()) {
      const to = portugueseScenes[(index + stride) % portugueseScenes.length] ?? from
      for (const { name, state } of [from, to]) {
        await change(page, server, state)
        const shown = await page.evaluate(`(${lines})(document.querySelector('#page'))`)
        assert.deepEqual(shown, await written(parser, server), `${from.name}, then ${name}`)
        assert.deepEqual(faults, [])
      }
    }
  for (const each of [parser, page]) await each.context().close()
})

/** Texts of which a translator may change no letter. */
function keptIn({ amount, merchant, panel, receipt, items }: PageState): readonly string[] {
  const ofPanel = Object.values(panel ?? {}).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
      ? [value.text]
      : [],
  )
  return [
    amount.text,
    merchant.name,
    ...ofPanel,
    ...(panel?.method === 'PIX' ? [panel.code] : []),
    ...(panel?.method === 'CRYPTO' ? [panel.address] : []),
    ...receipt.flatMap(({ copy }) => copy ?? []),
    ...(items?.lines.map(({ total }) => total) ?? []),
  ]
}

test('amounts, codes, addresses and the names of shops are marked as not to be translated, wherever they stand', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await browser.newPage()
  for (const { name, state } of partOf(scenes, 2)) {
    server.state = state
    await openScene(page, server)
    const unmarked = await page.evaluate<readonly string[]>(`(() => {
      const walker = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT)
      const kept = ${JSON.stringify(keptIn(state))}
      const found = []
      while (walker.nextNode()) {
        const { currentNode: { data, parentElement } } = walker
        if (parentElement.closest('[translate=no],svg') === null) found.push(...kept.filter((each) => data.includes(each)))
      }
      return found
    })()`)
    assert.deepEqual(unmarked, [], name)
  }
  await page.context().close()
})
