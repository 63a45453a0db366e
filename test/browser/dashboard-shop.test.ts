// The settings of the shop in a browser: one form saves all of them, and a refused one keeps what is written.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addMember } from '#/people/members.ts'
import { createUser } from '#/people/users.ts'
import { settingsWords } from '../../web/dashboard/words/settings.ts'
import { signInWords } from '../../web/dashboard/words/sign-in.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'

const by = { actor: { kind: 'SYSTEM', id: 'test' } } as const
const person = { email: 'bia@example.com', password: 'bolo de fuba com cafe', name: 'Bia' }

let world: BrowserWorld
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
})
after(() => world.close())

test('an owner sets what receipts say of the seller; a wrong tax id is said at its field; a later save keeps it', async () => {
  const { people, base, origin } = world.dashboard
  const { id: userId } = await createUser(people, by, person)
  const tenant = await base.openTenant()
  await addMember(people, by, { merchantId: tenant.id, userId, role: 'OWNER' })
  const kept = async () => {
    const [row] = await base.sql`
      select return_url, legal_name, tax_id, tax_country from merchant where id = ${tenant.id}`
    return { ...row }
  }
  const [words, entrance] = [settingsWords['pt-BR'], signInWords['pt-BR']]
  const page = await (await (await sharedBrowser()).newContext({ locale: 'pt-BR' })).newPage()
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel(entrance.email).fill(person.email)
  await page.getByLabel(entrance.password).fill(person.password)
  await page.getByRole('button', { name: entrance.enter, exact: true }).click()
  await page.waitForURL(`**/m/${tenant.id}`)
  await page.goto(`${origin}/m/${tenant.id}/settings/shop`)

  const taxId = page.getByLabel(words.sellerTaxId)
  await page.getByLabel(words.legalName).fill('Livraria da Ana Ltda.')
  await taxId.fill('11.222.333/0001-82')
  await page.getByRole('button', { name: words.save, exact: true }).click()
  await page.locator('[aria-invalid="true"]').waitFor()
  assert.equal(await taxId.getAttribute('aria-invalid'), 'true')
  assert.equal(await taxId.inputValue(), '11.222.333/0001-82')
  assert.deepEqual(await kept(), { return_url: null, legal_name: null, tax_id: null, tax_country: null })

  await taxId.fill('11.222.333/0001-81')
  await page.getByRole('button', { name: words.save, exact: true }).click()
  await page.getByText(words.saved).waitFor()
  const seller = { legal_name: 'Livraria da Ana Ltda.', tax_id: '11222333000181', tax_country: 'BR' }
  assert.deepEqual(await kept(), { return_url: null, ...seller })

  await page.reload()
  await page.getByLabel(words.returnUrl).fill('https://shop.example.com/thanks')
  await page.getByRole('button', { name: words.save, exact: true }).click()
  await page.getByText(words.saved).waitFor()
  assert.deepEqual(await kept(), { return_url: 'https://shop.example.com/thanks', ...seller })
  await page.context().close()
})
