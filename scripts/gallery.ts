// Renews the pictures of the payer's page. `./vintem dev scripts/gallery.ts [part of a name]`: every state of every method, in
// docs/screens/checkout. `./vintem dev scripts/gallery.ts journeys`: the pages as whole journeys meet them, in docs/screens/pages.
// Look at each of them: a picture that nobody looked at proves nothing.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeGallery } from '../test/browser/gallery.ts'
import { screensFolder, screensReadme } from '../test/browser/pay-screens.ts'

if (process.argv[2] === 'journeys') await takeJourneys()
else console.log(`${await makeGallery(process.argv[2] ?? '')} scenes in docs/screens/checkout`)

/** The journeys take the pictures on their way. */
async function takeJourneys(): Promise<void> {
  const cwd = join(import.meta.dirname, '..')
  const files = globSync('test/browser/{pay,checkout-journey}-*.test.ts', { cwd })
  const args = ['--test', '--test-concurrency=1', ...files]
  const env = { ...process.env, SCREENS: '1', VINTEM_SOAK: '1' }
  const { status } = spawnSync(process.execPath, args, { cwd, env, stdio: 'inherit' })
  await writeFile(join(screensFolder, 'pay.md'), screensReadme())
  process.exitCode = status ?? 1
}
