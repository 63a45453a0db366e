// The pictures that README and docs show must match the current pages.
import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { isSoak, soakTest } from '../counts.ts'
import { watchAnswers } from '../dashboard/answers.ts'
import { allPictured, changeOf, fileOf, keptFolder, shoot, shownFiles, type Pictured } from './gallery.ts'
import { compare, readPicture, writePicture, type Picture, type Shot } from './picture.ts'
import { sharedBrowser } from './shared-browser.ts'
import { answers, createShopServer } from './shop-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

// Drawings are written by hand: nothing is photographed for them.
const isPicture = (name: string) => name.endsWith('.png')
const files = shownFiles().filter(isPicture)
const shown = allPictured().filter((each) => files.includes(fileOf(each)))
/** The picture with the fewest pixels, in which a change is hardest to find. */
const dashboard: Pictured = { name: 'waiting-pix', width: 1280 }
/** Another browser draws letters differently. */
const isPinned = process.env['CHROMIUM_PATH'] === undefined

test('exactly the pictures that README and docs show are kept', async () => {
  assert.ok(shown.length > 0)
  const pictures = (await readdir(keptFolder)).filter(isPicture)
  assert.deepEqual(pictures.toSorted(), shown.map(fileOf).toSorted())
  assert.deepEqual(files.toSorted(), shown.map(fileOf).toSorted())
})

for (const pictured of shown)
  test(`${fileOf(pictured)} shows the current page`, async (t) => {
    if (!isPinned) return t.diagnostic('not compared: CHROMIUM_PATH names another browser')
    const change = await changeOf(fileOf(pictured), await shoot(browser, pictured))
    assert.equal(change, undefined, 'renew it with npm run gallery, and check it')
  })

test('the picture of the dashboard shows answers that its server could give', async () => {
  await using server = await createShopServer()
  const watch = watchAnswers(server)
  for (const url of Object.keys(answers)) assert.equal((await server.inject(url)).statusCode, 200, url)
  assert.deepEqual(watch.takeFaults(), [])
  assert.deepEqual([...watch.answered].toSorted(), ['getOverview', 'getSession', 'getSetup'])
})

for (const moved of isSoak ? ['.code .button', 'footer a'] : ['footer a'])
  test(`a picture differs when ${moved} has moved by 8 px, and the difference is shown`, async () => {
    const shot = await restyled(`[...document.querySelectorAll('${moved}')].at(-1)`, 'translate', '0 8px')
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vintem-picture-'))
    const change = await changeOf(fileOf(dashboard), shot, folder.path)
    const [, path = ''] = /differs in \d+ pixels: see (.+)$/.exec(change ?? '') ?? []
    const difference = readPicture(await readFile(path))
    assert.equal(difference.width, shot.picture.width)
    assert.ok(hasRed(difference))
  })

soakTest('a picture differs when its page has become 8 px higher', async () => {
  const shot = await restyled('document.body', 'padding-block-end', '8px')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'vintem-picture-'))
  assert.match(String(await changeOf(fileOf(dashboard), shot, folder.path)), /differs in \d+ pixels/)
})

soakTest(
  'a picture is the same when edges of letters are a little softer, and when codes are in another font',
  async () => {
    const { picture, letters } = await shoot(browser, dashboard)
    assert.ok(letters.length > 0)
    assert.equal(compare(picture, { picture: softened(picture), letters }).pixels, 0)
    const other = await restyled('document.documentElement', '--mono', 'sans-serif, monospace')
    assert.notDeepEqual(other.picture.data, picture.data)
    assert.equal(compare(picture, other).pixels, 0)
  },
)

test('a picture keeps its colours when it is written and read', () => {
  const bytes = Array.from({ length: 256 }, (_, value) => [value, 255 - value, value ^ 0x5a, 255])
  const picture = { width: 16, height: 16, data: Buffer.from(bytes.flat()) }
  const again = readPicture(writePicture(picture))
  assert.deepEqual([again.width, again.height], [picture.width, picture.height])
  assert.ok(again.data.equals(picture.data))
})

/** `element`: an expression of the page. */
function restyled(element: string, property: string, value: string): Promise<Shot> {
  return shoot(browser, dashboard, (page) =>
    page.evaluate(`${element}.style.setProperty('${property}', '${value}')`),
  )
}

/** Each pixel gets a seventh of its right neighbour's colour. */
function softened(picture: Picture): Picture {
  const { data } = picture
  const mixed = data.map((byte, index) => Math.round((byte * 6 + (data[index + 4] ?? byte)) / 7))
  return { ...picture, data: Buffer.from(mixed) }
}

function hasRed({ data }: Picture): boolean {
  for (let at = 0; at < data.length; at += 4) if (data.readUIntBE(at, 3) === 0xff0000) return true
  return false
}
