import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBrowser } from './chromium.ts'
import { joinPictures, readPng, writePng } from './gallery-png.ts'
import { galleryFolder, pictureNames, readme } from './gallery.ts'

test('the pictures in docs/screens/checkout are those of the scenes, and their page lists them', async () => {
  const files = await readdir(galleryFolder)
  assert.deepEqual(
    files.filter((file) => file.endsWith('.png')).toSorted(),
    pictureNames().toSorted(),
    'renew them with ./vintem dev scripts/gallery.ts, and look at each',
  )
  assert.equal(await readFile(join(galleryFolder, 'README.md'), 'utf8'), readme())
})

test('the pictures are few enough and small enough to be kept', async () => {
  const sizes = await Promise.all(
    pictureNames().map(async (name) => (await stat(join(galleryFolder, name))).size),
  )
  assert.ok(sizes.length <= 60)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 6 * 1024 * 1024)
})

test('a picture keeps its colours when it is read, joined and written, says a browser', async () => {
  await using browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 2, height: 2 } })
  await page.setContent('<body style="background: linear-gradient(90deg, #f00 50%, #00f 50%)">')
  const picture = readPng(await page.screenshot())
  assert.deepEqual([...picture.pixels], [0xff0000, 0x0000ff, 0xff0000, 0x0000ff])
  const below = joinPictures([picture, joinPictures([picture, picture], 'beside')], 'below')
  await page.setViewportSize({ width: 4, height: 4 })
  const source = `data:image/png;base64,${writePng(below).toString('base64')}`
  await page.setContent(`<body style="margin: 0"><img style="display: block" src="${source}">`)
  const seen = readPng(await page.screenshot())
  const [red, blue, grey] = [0xff0000, 0x0000ff, 0x808080]
  const [narrow, wide] = [
    [red, blue, grey, grey],
    [red, blue, red, blue],
  ]
  assert.deepEqual([...seen.pixels], [narrow, narrow, wide, wide].flat())
})
