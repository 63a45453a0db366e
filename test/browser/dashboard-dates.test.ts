// Fields for days: as the account's language writes them, by keyboard and by pointer, in filters and in forms.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Tenant } from '../contract/world.ts'
import type { Person } from '../dashboard/world.ts'
import { eventually } from '../eventually.ts'
import { axeFindings } from './axe.ts'
import { openBrowserWorld, type BrowserWorld } from './dashboard-members.ts'
import { sharedBrowser } from './shared-browser.ts'
import { fitsWidths, viewports } from './viewports.ts'

let world: BrowserWorld
before(async () => {
  world = await openBrowserWorld(await sharedBrowser())
})
after(() => world.close())

type Shop = { readonly tenant: Tenant; readonly owner: Person }

async function openShop(language = 'en', timeZone = 'UTC'): Promise<Shop> {
  const tenant = await world.dashboard.base.openTenant()
  const owner = await world.dashboard.person([{ merchantId: tenant.id, role: 'OWNER' }])
  assert.equal((await owner.ask('PATCH', '/api/me', { language, timeZone })).status, 204)
  return { tenant, owner }
}

const at = ({ id }: Tenant, path: string) => `${world.dashboard.origin}/m/${id}/${path}`
/** Whether the text of the field, or its placeholder, is wider than its place. */
const cutOff = (name: string) => `(() => {
  const field = [...document.querySelectorAll('input')].find((each) => each.labels?.[0]?.textContent === '${name}')
  const { paddingLeft, paddingRight, font } = getComputedStyle(field)
  const brush = document.createElement('canvas').getContext('2d')
  brush.font = font
  const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  return brush.measureText(field.value || field.placeholder).width > room
})()`

const from = (page: Page) => new URL(page.url()).searchParams.get('from')

test('a filter takes a day in the order of the account’s language, whatever that of the browser is', async () => {
  for (const [language, label, text, hint] of [
    ['pt-BR', 'De', '5/3/2026', 'dd/mm/aaaa'],
    ['es', 'Desde', '05-03-2026', 'dd/mm/aaaa'],
    ['en', 'From', '3/5/2026', 'mm/dd/yyyy'],
  ] as const) {
    const { tenant, owner } = await openShop(language)
    const page = await world.open(owner)
    await page.goto(at(tenant, 'payments'))
    const field = page.getByRole('search').getByRole('textbox', { name: label, exact: true })
    assert.equal(await field.getAttribute('placeholder'), hint)
    await field.pressSequentially(text)
    await eventually(`${language}: the filter is in the address`, () => from(page) === '2026-03-05')
    // What is written stays as it is written until the field is left.
    assert.equal(await field.inputValue(), text)
    assert.equal(await page.locator('input:focus').inputValue(), text)
    await field.blur()
    assert.equal(await field.inputValue(), language === 'en' ? '03/05/2026' : '05/03/2026')
    await page.reload()
    await field.waitFor()
    assert.equal(await field.inputValue(), language === 'en' ? '03/05/2026' : '05/03/2026')
    await page.context().close()
  }
})

test('a text that is no day filters nothing, stays, and is said; the address and the field stay in step', async () => {
  const { tenant, owner } = await openShop('pt-BR')
  const page = await world.open(owner)
  await page.goto(at(tenant, 'payments?from=2026-03-05'))
  const field = page.getByRole('search').getByRole('textbox', { name: 'De', exact: true })
  assert.equal(await field.inputValue(), '05/03/2026')
  await field.fill('31/02/2026')
  await field.blur()
  await page.getByRole('alert').getByText('Escreva uma data que existe, na forma dd/mm/aaaa.').waitFor()
  assert.equal(await field.inputValue(), '31/02/2026')
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  assert.equal(from(page), '2026-03-05')
  await world.examine(page, 'a wrong day')
  await field.fill('')
  await eventually('the filter is gone', () => from(page) === null)
  await field.fill('01/12/26')
  await field.blur()
  await eventually('a short year is this century’s', () => from(page) === '2026-12-01')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await eventually('the field is empty', async () => (await field.inputValue()) === '')
  await page.context().close()
})

for (const { colorScheme, width } of viewports)
  test(`the calendar is used by keyboard alone and by pointer, ${colorScheme} ${width} px`, async () => {
    const { tenant, owner } = await openShop('es')
    const page = await world.open(owner, colorScheme, width)
    await page.goto(at(tenant, 'payments?from=2026-03-31'))
    if (width < 640) await page.getByRole('button', { name: /^Filtros/ }).click()
    const opener = page.getByRole('button', { name: 'Desde: calendario' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const calendar = page.getByRole('dialog', { name: 'Desde: calendario' })
    const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")')
    const isAt = (day: string) => eventually(`it is at ${day}`, async () => (await focused()) === day)
    await isAt('martes, 31 de marzo de 2026')
    assert.deepEqual(await axeFindings(page), [], `calendar ${width}`)
    if (width === 360) await fitsWidths(page, 'calendar')
    // The day, and how it is to be written where there is none, are seen whole.
    for (const name of ['Desde', 'hasta'])
      assert.deepEqual(await page.evaluate(cutOff(name)), false, `${name} ${width}`)
    const box = await calendar.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box))
    // Weeks begin on Monday.
    assert.match(await calendar.getByRole('columnheader').first().innerText(), /lunes/i)
    assert.equal(await calendar.getByRole('gridcell', { selected: true }).innerText(), '31')
    for (const [key, day] of [
      ['PageUp', 'sábado, 28 de febrero de 2026'],
      ['ArrowRight', 'domingo, 1 de marzo de 2026'],
      ['ArrowDown', 'domingo, 8 de marzo de 2026'],
      ['Home', 'lunes, 2 de marzo de 2026'],
      ['End', 'domingo, 8 de marzo de 2026'],
      ['Shift+PageDown', 'lunes, 8 de marzo de 2027'],
      ['ArrowLeft', 'domingo, 7 de marzo de 2027'],
      ['ArrowUp', 'domingo, 28 de febrero de 2027'],
      ['PageDown', 'domingo, 28 de marzo de 2027'],
    ] as const) {
      await page.keyboard.press(key)
      await isAt(day)
    }
    await page.keyboard.press('Enter')
    await eventually('the day is chosen', () => from(page) === '2027-03-28')
    await calendar.waitFor({ state: 'detached' })
    await isAt('Desde: calendario')
    // Esc chooses nothing.
    await page.keyboard.press('Enter')
    await calendar.waitFor()
    await isAt('domingo, 28 de marzo de 2027')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
    assert.equal(from(page), '2027-03-28')
    // By pointer.
    await opener.click()
    await calendar.getByRole('button', { name: 'Mes siguiente' }).click()
    await calendar.getByText('abril de 2027').waitFor()
    await calendar.getByRole('button', { name: 'jueves, 15 de abril de 2027' }).click()
    await eventually('the day is chosen', () => from(page) === '2027-04-15')
    await page.context().close()
  })

test('a form sends the day that is written, and nothing while it is none', async () => {
  const { tenant, owner } = await openShop('pt-BR', 'America/Sao_Paulo')
  const page = await world.open(owner, 'light', 360)
  await page.goto(at(tenant, 'developers/keys'))
  await page.getByRole('main').getByRole('button', { name: 'Criar chave' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('loja')
  await dialog.getByLabel('Vencimento').selectOption('date')
  const field = dialog.getByRole('textbox', { name: 'Último dia' })
  let sent = 0
  page.on(
    'request',
    (request) => (sent += request.method() === 'POST' && request.url().endsWith('/keys') ? 1 : 0),
  )
  const send = () => dialog.getByRole('button', { name: 'Criar chave' }).click()
  await send()
  await dialog.getByText('Escreva uma data na forma dd/mm/aaaa.').waitFor()
  await field.fill('2/31/2030')
  await send()
  await dialog.getByText('Escreva uma data que existe, na forma dd/mm/aaaa.').waitFor()
  assert.equal(sent, 0)
  await world.examine(page, 'a wrong day in a form')
  // The calendar stands above the dialog, and Esc closes it alone.
  await dialog.getByRole('button', { name: 'Último dia: calendário' }).click()
  await page.getByRole('dialog', { name: 'Último dia: calendário' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Último dia: calendário' }).waitFor({ state: 'detached' })
  await field.fill('31/12/2030')
  await send()
  await page.getByText('A chave está pronta').waitFor()
  await eventually('it was sent', () => sent === 1)
  const ends = await eventually('the key is there', async () => {
    const { body } = await owner.ask('GET', `/api/m/${tenant.id}/keys`)
    const keys = body['data'] as readonly Readonly<Record<string, unknown>>[]
    return keys.find(({ name }) => name === 'loja')?.['expiresAt']
  })
  // The end of that day in São Paulo.
  assert.equal(new Date(String(ends)).toISOString(), '2031-01-01T03:00:00.000Z')
  await page.context().close()
})
