// Every screen of the dashboard's table and every dialog, filled, examined by axe, on a phone and a desktop, light and dark. The quick run
// examines each screen once and some of the dialogs, in turn; the soak examines each of them in every combination.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { isSoak, partOf } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { dialogs, dialogSources, openDialog, unreached } from './dashboard-dialogs.ts'
import { fillDashboard, type Filled } from './dashboard-filling.ts'
import { merchantPaths, operatorPaths, withValues } from './dashboard-screens.ts'
import {
  examineScreen,
  fitsWidth,
  join,
  openBrowserWorld,
  signInByPassword,
  visit,
  watchConsoles,
  type BrowserWorld,
} from './dashboard-world.ts'
import { examinedIn, viewports } from './viewports.ts'

const email = 'every@example.com'
let world: BrowserWorld
let filled: Filled
/** The browser of a person who is the merchant's owner and an operator, and has no second factor. */
let person: BrowserContext
before(async () => {
  world = await openBrowserWorld()
  const page = await joinAsOwner()
  person = page.context()
  filled = await fillDashboard(world.installation.sandbox(), page, { isShort: !isSoak })
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

/** Comes by an invitation, whose page is examined too. */
async function joinAsOwner(): Promise<Page> {
  const examine = (page: Page) => examineScreen(page, 'an invitation')
  const page = await join(world, { email, name: 'Every Screen', onInvitation: examine })
  const made = await world.installation.run('user', 'promote', email)
  assert.equal(made.code, 0, made.output)
  return page
}

/** The address of a screen with the records of the filling; it fails where one has none. */
function addressOf(screen: string): string {
  const [room, kind = ''] = screen.split('/')
  if (room !== 'operator') {
    const path = withValues(screen, { ...filled.payments, ...filled.merchant })
    return `/m/${world.merchantId}/${must(path, `a record for each parameter of ${screen}`)}`
  }
  const { operator } = filled
  return `/${must(withValues(screen, { ...operator, ...ofKind(operator[kind]) }), `a record for ${screen}`)}`
}

/** In the operator's console `$id` is of the kind that the path begins with. */
function ofKind(id: string | undefined): Readonly<Record<string, string>> {
  return id === undefined ? {} : { id }
}

const screens: readonly string[] = [...merchantPaths, ...operatorPaths.map((path) => `operator/${path}`)]

/** Addresses outside of the table, for who has signed in and for strangers. */
const outside = ['/nothing', '/m/00000000-0000-7000-8000-000000000000', '/operator/nothing']
const usedToken = 'A'.repeat(43)
const doors = ['/sign-in', `/open#${usedToken}`, `/sign-in#${usedToken}`]

async function isQuiet(page: Page): Promise<void> {
  await eventually(
    'nothing loads',
    async () => (await page.locator('.loading-line, main [aria-busy=true]').count()) === 0,
  )
}

test('every file that holds a dialog is in the table of dialogs, or says why no click opens it', () => {
  const known = new Set([...dialogs.map(({ source }) => source), ...Object.keys(unreached)])
  assert.deepEqual(
    dialogSources.filter((source) => !known.has(source)),
    [],
  )
  assert.deepEqual(
    [...known].filter((source) => !dialogSources.includes(source)),
    [],
  )
})

async function examineBoth(page: Page, name: string): Promise<void> {
  await examineScreen(page, name)
  await fitsWidth(page, name)
}

/** The stories open every sixth. */
const opened = partOf(dialogs, 6)

for (const [nth, { colorScheme, width }] of viewports.entries()) {
  // High enough for the whole navigation: what is scrolled away behind the account cannot be examined.
  const viewport = { width, height: 1_200 }
  const open = (as?: BrowserContext) =>
    world.open({ ...given({ as }), colorScheme, viewport, bypassCSP: true })

  test(`axe finds nothing on any screen, and none is too wide, ${colorScheme} ${width} px`, async () => {
    assert.ok(screens.length >= 60, `${screens.length} screens`)
    const [examiner, stranger] = [await open(person), await open()]
    const places = [
      ...screens.map((screen) => [examiner, addressOf(screen)] as const),
      ...outside.map((path) => [examiner, path] as const),
      ...doors.map((path) => [stranger, path] as const),
    ]
    const found: unknown[] = []
    for (const [page, path] of examinedIn(nth, places)) {
      await visit(page, world.origin + path)
      await isQuiet(page)
      await examineBoth(page, path).catch((error: unknown) => found.push(error))
    }
    assert.deepEqual(found, [])
    for (const page of [examiner, stranger]) await page.context().close()
  })

  test(`axe finds nothing in any dialog, ${colorScheme} ${width} px`, async () => {
    // A second factor is added by who signed in within five minutes.
    const examiner = await open((await signInByPassword(world, email)).context())
    const found: unknown[] = []
    for (const row of examinedIn(nth, opened)) {
      // Not by the router: what the dialog before left on its screen is gone.
      await examiner.goto('about:blank')
      await visit(examiner, world.origin + addressOf(row.screen))
      await isQuiet(examiner)
      await openDialog(examiner, row)
        .then(() => examineBoth(examiner, row.source))
        .catch((error: unknown) => found.push(row.source, error))
    }
    assert.deepEqual(found, [])
    await examiner.context().close()
  })
}

test('the merchant’s audit log says in words what was done', async () => {
  const page = await world.open({ as: person })
  await visit(page, world.origin + addressOf('settings/audit'))
  await isQuiet(page)
  await page.getByRole('button', { name: /Set withdrawal limits/ }).waitFor()
  const codes = page.getByRole('main').getByText(/^[a-z_-]+\.[a-z_-]+$/)
  assert.deepEqual(await codes.allInnerTexts(), [])
  await page.context().close()
})
