import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { screenFiles, screensFolder, screensReadme } from './pay-screens.ts'

test('every page and state of the card page and the partner’s page has its two pictures, and no other has', async () => {
  const files = await readdir(screensFolder)
  assert.deepEqual(
    files.filter((file) => /^(?:card|partner)-.*\.png$/.test(file)).toSorted(),
    screenFiles().toSorted(),
    'renew them with ./vintem dev scripts/gallery.ts journeys, and look at each',
  )
  assert.equal(await readFile(join(screensFolder, 'pay.md'), 'utf8'), screensReadme())
})

test('the pictures have eight bits a pixel and are small enough to be kept', async () => {
  for (const file of screenFiles()) {
    const path = join(screensFolder, file)
    const png = await readFile(path)
    // The header's depth and kind: by palette (ISO/IEC 15948 §11.2.1).
    assert.deepEqual([png[24], png[25]], [8, 3], file)
    assert.ok((await stat(path)).size < 80 * 1024, file)
  }
})
