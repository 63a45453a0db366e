// Markup in every text that a merchant's people, the operator, payers and providers write: no screen makes an element of it. The quick run
// puts markup into the fields that are shown most (dashboard-first.test.ts), and checks the list of all fields (hostile-fields.test.ts).
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import { routes } from '#/http/routes.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { soakTest } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { askBy, fillDashboard, type Filled } from './dashboard-filling.ts'
import { merchantPaths, operatorPaths, withValues } from './dashboard-screens.ts'
import { join, openBrowserWorld, visit, watchConsoles, type BrowserWorld } from './dashboard-world.ts'
import { hostile, hostileElements } from './hostile-fields.ts'
import { payerForm, plantings, type Planting } from './hostile-plantings.ts'

type Row = Readonly<Record<string, unknown>>

let world: BrowserWorld
let page: Page
let filled: Filled
let ask: ReturnType<typeof askBy>
/** Of the records; those that were planted take the places of those that were filled in. */
let ids: Record<string, string>
before(async () => {
  world = await openBrowserWorld()
  const email = 'hostile@example.com'
  page = await join(world, { email, name: hostile.image, userAgent: `Mozilla/5.0 ${hostile.image}` })
  const promoted = await world.installation.run('user', 'promote', email)
  assert.equal(promoted.code, 0, promoted.output)
  ask = askBy(page)
  filled = await fillDashboard(world.installation.sandbox(), page, { isShort: true })
  ids = await firstIds()
})
after(() => world[Symbol.asyncDispose]())
watchConsoles()

const rowsOf = (answer: Row) => answer['data'] as readonly Row[]
const idOf = (row: Row | undefined) => String(must(row, 'a record')['id'])

async function firstIds(): Promise<Record<string, string>> {
  const shop = `m/${world.merchantId}`
  const wallets = rowsOf(await ask('GET', `${shop}/wallets`))
  const paid = rowsOf(await ask('GET', `${shop}/payments?status=PAID&method=PIX&limit=1`))
  const suspense = rowsOf(await ask('GET', 'operator/suspense'))
  const small = suspense.find((each) => Number(each['amount']) < 100_000)
  const users = rowsOf(await ask('GET', 'operator/users'))
  const other = users.find((each) => each['email'] !== 'hostile@example.com')
  return {
    ...filled.merchant,
    merchantId: world.merchantId,
    mainWalletId: idOf(wallets.find((each) => each['currency'] === 'BRL' && each['isDefault'] === true)),
    paidId: idOf(paid[0]),
    connectionId: must(filled.operator['connections'], 'a connection'),
    suspenseId: idOf(small),
    userId: must(filled.operator['users'], 'a user'),
    otherUserId: idOf(other),
  }
}

/** The address of a call, behind /api/. */
function addressOf({ operationId, of }: Planting): { readonly method: string; readonly path: string } {
  const id = of?.(ids) ?? ''
  const own = dashboardRoutes.find((each) => each.operationId === operationId)
  if (own !== undefined) {
    const path = urlOf(own).replace(':merchant', world.merchantId).replace(':id', id).slice('/api/'.length)
    return { method: own.method, path }
  }
  const { method, path } = must(
    routes.find((each) => each.operationId === operationId),
    operationId,
  )
  return { method, path: `m/${world.merchantId}${path.slice('/v1'.length).replace('{id}', id)}` }
}

soakTest('every field takes the markup, or the table of fields is wrong', async () => {
  const refused: string[] = []
  for (const planting of plantings) {
    const { method, path } = addressOf(planting)
    const body = planting.body(ids)
    const answer: Row = await ask(method, path, body).catch((error: unknown) => {
      refused.push(`${planting.operationId}: ${String(error)}`)
      return {}
    })
    const { id } = answer
    if (planting.as !== undefined && typeof id === 'string') ids[planting.as] = id
  }
  assert.deepEqual(refused, [])
})

async function control(simulator: 'pixBank' | 'sepaBank', path: string, body: Row): Promise<void> {
  const { controlUrl } = world.installation.sandbox().simulators[simulator]
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(controlUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, `${path}: ${await answer.text()}`)
}

soakTest(
  'a payer writes it into the form, and the payer’s page shows it as text before and after the payment',
  async () => {
    const { body } = await world.api('GET', `/v1/payments/${ids['hostilePaymentId']}`)
    const payer = await world.open()
    await payer.goto(String(body['checkoutUrl']))
    await payer.locator('#field-name').waitFor()
    assert.ok((await inert(payer, 'the form')) > 0)
    for (const [name, value] of Object.entries(payerForm)) {
      const field = payer.locator(`#field-${name}`)
      if (name === 'country') await field.selectOption(value)
      else await field.fill(value)
    }
    await payer.locator('form:has(#field-name) button[type=submit]').click()
    const copyPaste = await eventually('the page shows the code', async () => {
      const text = await payer.locator('body').innerText()
      return /000201.+6304[0-9A-F]{4}/.exec(text)?.[0]
    })
    assert.ok((await inert(payer, 'the charge')) > 0)
    await control('pixBank', '/_sim/pay', { copyPaste, payer: { name: hostile.image, cpf: '52998224725' } })
    await eventually('it is paid', async () => {
      const now = await world.api('GET', `/v1/payments/${ids['hostilePaymentId']}`)
      return now.body['status'] === 'PAID'
    })
    await payer.reload()
    assert.ok((await inert(payer, 'the receipt')) > 0)
    await payer.context().close()
  },
)

soakTest(
  'banks pass on what payers write, a server answers with markup, and a program sends it in its address',
  async () => {
    const payer = { name: hostile.image, cpf: '52998224725' }
    const connections = rowsOf(await ask('GET', 'operator/connections'))
    const bank = must(
      connections.find((each) => each['method'] === 'PIX'),
      'a connection to the bank',
    )
    const { pixKey } = bank['settings'] as Row
    await control('pixBank', '/_sim/pay-key', { pixKey, amount: '66.60', payer, infoPagador: hostile.image })
    const made = await world.api('POST', '/v1/payments', {
      amount: 7_070,
      currency: 'BRL',
      paymentMethods: ['PIX'],
      idempotencyKey: newId(),
    })
    const copyPaste = String(made.body['pixCopyPaste'])
    await control('pixBank', '/_sim/pay', { copyPaste, payer, infoPagador: hostile.image })
    const euro = await world.api('POST', '/v1/payments', {
      amount: 1_010,
      currency: 'EUR',
      paymentMethods: ['SEPA_TRANSFER'],
      idempotencyKey: newId(),
    })
    const { iban } = euro.body['sepa'] as Row
    await control('sepaBank', `/_sim/accounts/${String(iban)}/transfers`, {
      scenario: 'exact',
      amount: '10.10',
      reference: hostile.bold,
      name: hostile.image,
    })
    ids['paidByPix'] = String(made.body['id'])
    await eventually('it is paid', async () => {
      const { body } = await world.api('GET', `/v1/payments/${ids['paidByPix']}`)
      return body['status'] === 'PAID'
    })
    await eventually('what fits nothing waits', async () => {
      const amounts = rowsOf(await ask('GET', 'operator/suspense')).map((each) => Number(each['amount']))
      return amounts.includes(6_660) && amounts.includes(1_010)
    })

    await using receiver = await startReceiver(() => ({ status: 500, body: hostile.image }))
    const endpoint = await ask('POST', `m/${world.merchantId}/webhook-endpoints`, {
      url: `${receiver.origin}/?${hostile.tag}`,
    })
    await ask('POST', `m/${world.merchantId}/webhook-endpoints/${idOf(endpoint)}/ping`, {})
    ids['deliveryId'] = await eventually('the answer is kept', async () => {
      const [row] = rowsOf(
        await ask('GET', `m/${world.merchantId}/deliveries?endpointId=${idOf(endpoint)}&limit=1`),
      )
      return row !== undefined && (row['attempts'] as readonly unknown[]).length > 0 && idOf(row)
    })
    await world.api('GET', `/v1/payments/${encodeURIComponent(hostile.image)}`)
  },
)

/** Nothing that was written has become an element. Returns how often it is shown as text. */
async function inert(on: Page, name: string): Promise<number> {
  assert.equal(await on.locator(hostileElements).count(), 0, name)
  return on.getByText(/<img|<i\/id|<b class/).count()
}

soakTest(
  'no screen of a member or an operator makes an element of it, and most show it as text',
  async () => {
    let shown = 0
    const check = async (path: string): Promise<void> => {
      await visit(page, world.origin + path).catch((error: unknown) =>
        assert.fail(`${path}: ${String(error)}`),
      )
      shown += (await inert(page, path)) > 0 ? 1 : 0
    }
    for (const path of merchantPaths)
      await check(`/m/${world.merchantId}/${must(withValues(path, { ...ids, slug: 'hostile' }), path)}`)
    for (const payment of ['hostilePaymentId', 'sharedPaymentId', 'paidId', 'paidByPix'])
      await check(`/m/${world.merchantId}/payments/${ids[payment]}`)
    for (const path of operatorPaths) {
      const id = filled.operator[path.split('/')[0] ?? '']
      await check(`/operator/${must(withValues(path, { ...filled.operator, ...given({ id }) }), path)}`)
    }
    for (const path of [
      `merchants/${ids['otherMerchantId']}`,
      `merchants/${ids['subAccountId']}`,
      `jobs/${ids['jobId']}`,
    ])
      await check(`/operator/${path}`)
    assert.ok(shown >= 35, `${shown} screens show it`)
  },
)

soakTest('neither what is opened on a screen', async () => {
  const open = async (path: string, name: RegExp, opens: 'a row' | 'a dialog'): Promise<void> => {
    await visit(page, world.origin + path)
    const buttons = page.getByRole('main').getByRole('button', { name })
    for (let nth = 0; nth < Math.min(await buttons.count(), 12); nth++) {
      await buttons.nth(nth).click()
      // Its program is loaded when the first one opens.
      if (opens === 'a dialog') await page.getByRole('dialog').first().waitFor()
      await inert(page, `${path}, ${nth}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    }
  }
  await open(`/m/${world.merchantId}/settings/audit`, /./, 'a row')
  await open('/operator/audit', /\w\.\w/, 'a row')
  await open('/operator/suspense', /^Decide/, 'a dialog')
  await page.keyboard.press('Control+k')
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill(hostile.image)
  await inert(page, 'the palette')
})
