import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRenewing, pagesFolder, pictureNames, picturesReadme } from './checkout-journey-pictures.ts'

test('every state of the checkout that a journey comes through has its two pictures, and no other has', async () => {
  const list = join(pagesFolder, 'checkout.md')
  if (isRenewing) await writeFile(list, picturesReadme())
  const files = await readdir(pagesFolder)
  assert.deepEqual(
    files.filter((file) => /^checkout-.*\.png$/.test(file)).toSorted(),
    pictureNames().toSorted(),
    'renew them with ./vintem dev scripts/gallery.ts journeys, and look at each',
  )
  assert.equal(await readFile(list, 'utf8'), picturesReadme())
})

test('the pictures are small enough to be kept', async () => {
  for (const name of pictureNames()) assert.ok((await stat(join(pagesFolder, name))).size < 80 * 1024, name)
})
