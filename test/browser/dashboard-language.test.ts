// The language of an account in a browser: it comes from the first browser that signs in, and every page keeps it, also where nothing is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addMember } from '#/people/members.ts'
import { createUser } from '#/people/users.ts'
import { frameWords } from '../../web/dashboard/words/frame.ts'
import { signInWords } from '../../web/dashboard/words/sign-in.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'

const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
const person = { email: 'bia@example.com', password: 'bolo de fuba com cafe' }

let world: BrowserWorld
let merchantId: string
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
  const { people, base } = world.dashboard
  const { id: userId } = await createUser(people, by, { ...person, name: 'Bia' })
  const tenant = await base.openTenant()
  await addMember(people, by, { merchantId: tenant.id, userId, role: 'OWNER' })
  merchantId = tenant.id
})
after(() => world.close())

/** Signs in from a new browser, and waits for the overview. */
async function signIn(locale: 'pt-BR' | 'es', timezoneId: string): Promise<Page> {
  const words = signInWords[locale]
  const page = await (await (await sharedBrowser()).newContext({ locale, timezoneId })).newPage()
  await page.goto(`${world.dashboard.origin}/sign-in`)
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password).fill(person.password)
  await page.getByRole('button', { name: words.enter, exact: true }).click()
  await page.waitForURL(`**/m/${merchantId}`)
  return page
}

/** The language and time zone of the account, and the language that the page says. */
function readOf(page: Page): Promise<unknown> {
  return page.evaluate(`fetch('/api/session').then((answer) => answer.json()).then(({ user }) =>
    [user.language, user.timeZone, document.documentElement.lang])`)
}

test('the first sign-in, from a browser in Brazil, makes the account Portuguese, in the time of São Paulo', async () => {
  const page = await signIn('pt-BR', 'America/Sao_Paulo')
  assert.deepEqual(await readOf(page), ['pt-BR', 'America/Sao_Paulo', 'pt-BR'])
  await page.context().close()
})

test('a browser in Spain changes nothing, and addresses that lead nowhere keep the account’s language and frame', async () => {
  const page = await signIn('es', 'Europe/Madrid')
  const words = frameWords['pt-BR']
  const below = `/m/${merchantId}`
  for (const path of [
    '/nada',
    '/nada/mais',
    '/account/nada',
    '/operator/nada',
    `${below}/nada`,
    `${below}/payments/x/nada`,
  ]) {
    await page.goto(`${world.dashboard.origin}${path}`)
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: words.notFound }).waitFor()
    assert.deepEqual(await readOf(page), ['pt-BR', 'America/Sao_Paulo', 'pt-BR'], path)
    assert.equal(await page.getByRole('main').count(), 1, path)
    await page.getByRole('complementary', { name: words.navigation }).waitFor()
  }
  // Inside of a merchant its own menu stays.
  await page.getByRole('link', { name: words.nav.overview, exact: true }).waitFor()
  await page.context().close()
})

test('who has not signed in is asked to, in the browser’s language, and comes back to the address', async () => {
  const page = await (await (await sharedBrowser()).newContext({ locale: 'es' })).newPage()
  await page.goto(`${world.dashboard.origin}/nada`)
  await page.getByRole('heading', { name: signInWords.es.title, level: 1 }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), '/nada')
  await page.context().close()
})
