// Pictures of the payer's pages and of the dashboard. `npm run gallery [part of a name]`: every state of every method and every screen of
// the dashboard, in dist/gallery; those shown in README and docs are renewed in docs/screens. `npm run gallery dashboard`: the dashboard
// alone. `npm run gallery journeys`: the payer's pages in whole journeys. Look at each picture: only a person can judge it.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dashboardPictures, makeDashboardGallery } from '../test/browser/dashboard-gallery.ts'
import { galleryFolder, makeGallery, writeIndex } from '../test/browser/gallery.ts'

const [part = ''] = process.argv.slice(2)
if (part === 'journeys') await takeJourneys()
else {
  const { made, renewed } = await makeGallery(part)
  console.log(`${made} pictures; renewed in docs/screens: ${renewed.join(', ') || 'none'}`)
  // Needs a whole installation, so it is started only when one of its pictures is requested.
  if (dashboardPictures.some((name) => name.includes(part))) {
    const ofDashboard = await makeDashboardGallery(part, join(galleryFolder, 'dashboard'))
    console.log(`${ofDashboard} pictures of the dashboard`)
  }
}
await writeIndex()
console.log(`open ${join(galleryFolder, 'index.html')} and look at each picture`)

/** The journeys take the pictures on their way. */
async function takeJourneys(): Promise<void> {
  const cwd = join(import.meta.dirname, '..')
  await rm(join(galleryFolder, 'journeys'), { recursive: true, force: true })
  const files = globSync('test/browser/{pay,checkout-journey,welcome}*.test.ts', { cwd })
  const args = ['--test', '--test-concurrency=1', ...files]
  const env = { ...process.env, TAKE_PICTURES: '1', VINTEM_SOAK: '1' }
  const { status } = spawnSync(process.execPath, args, { cwd, env, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
