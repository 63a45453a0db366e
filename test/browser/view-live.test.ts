// The open page: arriving states, the payer's actions, and the browser's limits.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { PageState } from '#/checkout/page-state.ts'
import { isSoak, partOf } from '../counts.ts'
import { copiedBy } from './copied.ts'
import { portugueseScenes, scenes, stateOf } from './gallery-states.ts'
import { sharedBrowser } from './shared-browser.ts'
import { openScene, startViewServer, type ViewServer } from './view-server.ts'

let browser: Browser
before(async () => {
  browser = await sharedBrowser()
})

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  return context.newPage()
}

/** What a browser without scripts reads in the page, as it is served. */
async function writtenContent(parser: Page, server: ViewServer): Promise<unknown> {
  const html = JSON.stringify(await fetch(server.url).then((answer) => answer.text()))
  return parser.evaluate(
    `new DOMParser().parseFromString(${html}, 'text/html').querySelector('#page').innerHTML`,
  )
}

/** The state after the next change. */
function next(server: ViewServer, name: string, changes: Partial<PageState> = {}): PageState {
  return { ...stateOf(name), version: server.state.version + 1, ...changes }
}

test('the browser hydrates the server’s HTML without changing it, logs no error, and keeps its policy', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const [parser, page] = [await newPage(), await newPage()]
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  await page.addInitScript(`
    window.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))
  `)
  for (const { name, state } of isSoak ? scenes : partOf(portugueseScenes, 2)) {
    server.state = state
    await openScene(page, server)
    assert.deepEqual(faults, [], name)
    assert.deepEqual(await page.evaluate('violations'), [], name)
    // A card's form is opened by the browser.
    if (/^waiting-card(?!-elsewhere)/.test(name)) continue
    assert.equal(await page.locator('#page').innerHTML(), await writtenContent(parser, server), name)
  }
  // All of this is seen when it happens.
  await page.evaluate(`document.body.setAttribute('style', 'color: red')`)
  await page.waitForFunction('violations.length === 1')
  await assert.rejects(page.evaluate(`document.body.innerHTML = '<p>'`), /TrustedHTML/)
  for (const each of [parser, page]) await each.context().close()
})

test('an error goes away when its field is corrected, and the problem of a method when another is chosen', async () => {
  const [first, ...others] = stateOf('choose').methods
  const field = { kind: 'text', autocomplete: 'off', isRequired: true, value: 'x', error: 'Wrong.' } as const
  const fields = ['name', 'email'].map((name) => ({ ...field, name, label: name }))
  await using server = await startViewServer({
    ...stateOf('choose'),
    methods: [...(first === undefined ? [] : [{ ...first, isChosen: true }]), ...others],
    fields,
    problem: 'Choose another.',
  })
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  assert.deepEqual(await page.locator('.error').allTextContents(), ['Wrong.', 'Wrong.'])
  await page.locator('#field-name').fill('Ana')
  await page.locator('#field-name-error').waitFor({ state: 'detached' })
  assert.equal(await page.locator('#field-name').getAttribute('aria-invalid'), null)
  assert.equal(await page.locator('#field-name').inputValue(), 'Ana')
  assert.deepEqual(await page.locator('.error').allTextContents(), ['Wrong.'])
  assert.equal(await page.locator('.problem').count(), 1)
  await page.locator('input[name=method]').last().check({ force: true })
  await page.locator('.problem').waitFor({ state: 'detached' })
  await page.context().close()
})

test('a change appears by itself, is announced to screen readers, renames the tab, and the last change ends the stream', async () => {
  await using server = await startViewServer(stateOf('waiting-crypto'))
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  await page.evaluate(`window.kept = document.querySelector('.status[role=status]')`)
  for (const name of ['confirming-crypto', 'paid-crypto']) {
    server.state = next(server, name)
    server.push()
    await page.getByRole('heading', { name: server.state.headline, exact: true }).waitFor()
    assert.equal(await page.evaluate(`kept === document.querySelector('.status[role=status]')`), true)
    assert.equal(await page.title(), `${server.state.headline} · Café Serra Azul`)
  }
  await server.closed()
  await page.context().close()
})

test('an older state that arrives late changes nothing', async () => {
  await using server = await startViewServer(stateOf('confirming-crypto'))
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  const { state } = server
  server.state = { ...stateOf('waiting-crypto'), version: state.version - 1 }
  server.push()
  server.state = { ...state, version: state.version + 1, message: 'Newer.' }
  server.push()
  await page.getByText('Newer.').waitFor()
  assert.equal(await page.locator('.qr').count(), 0)
  await page.context().close()
})

test('where streams are cut off, the page polls instead', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  server.refusesStreams = true
  const page = await newPage()
  await page.goto(server.url)
  server.state = next(server, 'paid-pix')
  await page.getByRole('heading', { name: 'Pagamento confirmado', exact: true }).waitFor()
  await page.context().close()
})

test('a tab that comes to the front requests the current state', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  server.state = next(server, 'paid-pix')
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByRole('heading', { name: 'Pagamento confirmado', exact: true }).waitFor()
  await page.context().close()
})

test('typed text stays when the state changes', async () => {
  await using server = await startViewServer(stateOf('choose-fields'))
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  await page.getByLabel('E-mail').fill('ana@exemplo.com.br')
  await page.getByLabel('País').selectOption('PT')
  await page.getByRole('radio', { name: /Cartão/ }).check()
  server.state = next(server, 'choose-fields', { message: 'Newer.' })
  server.push()
  await page.getByText('Newer.').waitFor()
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'ana@exemplo.com.br')
  assert.equal(await page.getByLabel('País').inputValue(), 'PT')
  assert.equal(await page.getByRole('radio', { name: /Cartão/ }).isChecked(), true)
  await page.context().close()
})

test('the time follows the server’s clock, is announced near its end, and at its end the page requests the state', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage()
  await page.clock.install({ time: new Date('2019-01-01T00:00:00Z') })
  await page.goto(server.url)
  await server.opened()
  const timer = page.getByRole('timer')
  assert.equal(await timer.textContent(), '29:41')
  await page.clock.runFor(2_000)
  assert.equal(await timer.textContent(), '29:39')
  await page.clock.fastForward('24:40')
  await page.clock.runFor(1_000)
  assert.match(String(await timer.textContent()), /^4:5\d$/)
  assert.equal(await page.getByText('Restam 5 minutos para pagar.').count(), 1)
  await page.clock.fastForward('04:10')
  await page.clock.runFor(1_000)
  assert.equal(await page.getByText('Resta 1 minuto para pagar.').count(), 1)
  server.state = next(server, 'expired')
  await page.clock.fastForward('01:00')
  await page.clock.runFor(1_000)
  await page.getByRole('heading', { name: server.state.headline }).waitFor()
  assert.ok(server.requests.includes('GET /c/example/state?check=1'))
  await page.context().close()
})

test('the page says that it waits, that it is offline and tries again, and that it waits again', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  await page.getByText('Aguardando pagamento…').waitFor()
  await page.context().setOffline(true)
  await page.getByText('Sem conexão. Tentando de novo…').waitFor()
  assert.equal(await page.getByText('Aguardando pagamento…').count(), 0)
  await page.context().setOffline(false)
  await page.getByText('Aguardando pagamento…').waitFor()
  // The page shows the same when the server, not the network, is away.
  server.isAway = true
  server.dropStreams()
  await page.getByText('Sem conexão. Tentando de novo…').waitFor()
  server.isAway = false
  await page.getByText('Aguardando pagamento…').waitFor()
  await page.context().close()
})

test('while a payer types a card, the page does not say that it waits, but says when it is offline', async () => {
  await using server = await startViewServer(stateOf('waiting-card'))
  const page = await newPage()
  await openScene(page, server)
  assert.equal(await page.getByText('Aguardando pagamento…').count(), 0)
  await page.context().setOffline(true)
  await page.getByText('Sem conexão. Tentando de novo…').waitFor()
  await page.context().close()
})

test('a pressed button says so until the answer comes, and sends the form once', async () => {
  await using server = await startViewServer(stateOf('choose'))
  const page = await newPage()
  await page.goto(server.url)
  await server.opened()
  // Counts the forms without sending them, so that no answer comes.
  await page.evaluate(`document.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) window.sent = [...(window.sent ?? []), event.submitter.value]
    event.preventDefault()
  })`)
  await page.getByRole('button', { name: /^Pix/ }).click()
  const busy = page.getByRole('button', { name: 'Pix Um momento…' })
  assert.equal(await busy.getAttribute('aria-busy'), 'true')
  await busy.click()
  await page.getByRole('button', { name: /^Cartão/ }).click()
  assert.deepEqual(await page.evaluate('window.sent'), ['PIX'])
  // After the browser's back button the page is usable again.
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await page.getByRole('button', { name: /^Cartão/ }).click()
  assert.deepEqual(await page.evaluate('window.sent'), ['PIX', 'CREDIT_CARD'])
  await page.context().close()
})

test('a decline is shown by the form in which it happened, or by the page where there is no form', async () => {
  const declined = stateOf('waiting-card-declined')
  await using server = await startViewServer(stateOf('waiting-card'))
  const page = await newPage()
  await openScene(page, server)
  server.state = next(server, 'waiting-card-declined', { message: 'Newer.' })
  server.push()
  await page.getByText('Newer.').waitFor()
  assert.equal(await page.getByText(String(declined.problem)).isVisible(), false)
  const plain = await newPage({ javaScriptEnabled: false })
  await plain.goto(server.url)
  assert.ok(await plain.getByText(String(declined.problem)).isVisible())
  for (const each of [page, plain]) await each.context().close()
})

test('time is counted down only in the last hour', async () => {
  const at = (minutes: number) => {
    const state = stateOf('waiting-pix')
    const now = new Date(Date.parse(state.expires?.at ?? '') - minutes * 60_000)
    return { ...state, now: now.toISOString() }
  }
  await using server = await startViewServer(at(61))
  const page = await newPage()
  await openScene(page, server)
  assert.equal(await page.getByRole('timer').count(), 0)
  server.state = at(60)
  await openScene(page, server)
  assert.equal(await page.getByRole('timer').textContent(), '60:00')
  await page.context().close()
})

test('the copy buttons copy what a machine needs and say so', async () => {
  await using server = await startViewServer(stateOf('waiting-crypto'))
  const page = await newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(server.url)
  const { panel } = server.state
  assert.ok(panel?.method === 'CRYPTO')
  for (const [name, value] of [
    ['Copiar Valor exato', '10.00'],
    ['Copiar Endereço', panel.address],
  ] as const) {
    const button = page.getByRole('button', { name })
    const announced = page.getByRole('status').filter({ hasText: 'Copiado' }).first()
    const [copied] = await Promise.all([
      copiedBy(page, () => button.click()),
      announced.waitFor({ state: 'attached' }),
    ])
    assert.equal(copied, value)
    await button.waitFor()
  }
  await page.context().close()
})

test('where the clipboard is not available, the copy button selects all of the text', async () => {
  await using server = await startViewServer(stateOf('waiting-pix'))
  const page = await newPage()
  await page.goto(server.url)
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.getByRole('button', { name: 'Copiar código Pix' }).click()
  await page.getByRole('button', { name: 'Selecionado' }).waitFor()
  assert.ok(server.state.panel?.method === 'PIX')
  assert.equal(await page.evaluate('String(getSelection())'), server.state.panel.code)
  await page.context().close()
})

test('the frame has the height that it reports, and only the frame’s messages count', async () => {
  await using server = await startViewServer(stateOf('waiting-card'))
  const page = await newPage()
  await openScene(page, server)
  const frame = page.frames()[1]
  const wanted = Number(await frame?.evaluate('document.documentElement.getBoundingClientRect().height'))
  assert.equal(await page.locator('iframe').getAttribute('height'), String(Math.ceil(wanted)))
  await page.evaluate(
    `postMessage({ type: 'vintem:height', height: 900 }, '*'); postMessage({ type: 'vintem:done' }, '*')`,
  )
  await frame?.evaluate(`parent.postMessage({ type: 'vintem:height', height: 1e9 }, '*')`)
  await page.locator('iframe[height="2000"]').waitFor()
  assert.ok(
    !server.requests.includes('GET /c/example/state?check=1'),
    'only the frame may report that it is done',
  )
  server.state = next(server, 'paid-card')
  await page.frameLocator('iframe').getByRole('button').click()
  await page.getByRole('heading', { name: 'Pagamento confirmado', exact: true }).waitFor()
  assert.ok(server.requests.includes('GET /c/example/state?check=1'))
  await page.context().close()
})

test('typed text survives any change, but another session comes in a new frame and adds no step to the history', async () => {
  const card = (session: string) =>
    ({ method: 'CREDIT_CARD', frameUrl: `/c/example/frame?session=${session}`, hostedUrl: '' }) as const
  await using server = await startViewServer({ ...stateOf('waiting-card'), panel: card('one') })
  const page = await newPage()
  await openScene(page, server)
  const steps = await page.evaluate<number>('history.length')
  await page.evaluate(`window.kept = document.querySelector('iframe')`)
  server.state = next(server, 'waiting-card', { panel: card('one'), message: 'Newer.' })
  server.push()
  await page.getByText('Newer.').waitFor()
  assert.equal(await page.evaluate(`kept === document.querySelector('iframe')`), true)
  server.state = next(server, 'waiting-card', { panel: card('another') })
  server.push()
  await page.locator('iframe[src$="another"]').waitFor()
  await page.locator('.frame[data-state="open"]').waitFor()
  assert.equal(await page.evaluate('history.length'), steps)
  await page.context().close()
})

test('after a payment the page goes back by itself, unless the payer stays or comes back', async () => {
  await using server = await startViewServer(stateOf('paid-pix'))
  const page = await newPage()
  await page.route('https://loja.example/**', (route) => route.fulfill({ body: 'shop' }))
  await page.clock.install()
  await page.goto(server.url)
  await page.getByText('Você voltará à loja em 8 s.').waitFor()
  await page.clock.runFor(3_000)
  await page.getByText('Você voltará à loja em 5 s.').waitFor()
  await page.getByRole('button', { name: 'Ficar nesta página' }).click()
  await page.clock.runFor(20_000)
  assert.equal(page.url(), server.url)
  await page.reload()
  await page.getByText('Você voltará à loja em 8 s.').waitFor()
  await page.clock.runFor(9_000)
  await page.waitForURL('https://loja.example/obrigado')
  await page.goBack()
  await page.getByRole('heading', { name: 'Pagamento confirmado', exact: true }).waitFor()
  await page.clock.runFor(20_000)
  assert.equal(page.url(), server.url)
  await page.context().close()
})
