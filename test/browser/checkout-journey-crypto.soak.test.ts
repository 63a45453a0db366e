// A payer's journey by USDT, with real transfers on the chain of the sandbox.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import {
  choose,
  examine,
  devices,
  openJourneyWorld,
  reloads,
  says,
  watchConsoles,
  type JourneyWorld,
} from './checkout-journey-world.ts'
import { copiedBy } from './copied.ts'

let world: JourneyWorld
let rpc: Rpc
before(async () => {
  world = await openJourneyWorld()
  rpc = createRpc(world.installation.sandbox().chain.rpcUrl, { timeoutMs: 60_000 })
})
after(async () => {
  rpc.close()
  await world[Symbol.asyncDispose]()
})
watchConsoles()

const create = () => world.create({ amount: 1000, currency: 'USDT' })

/** Sends cents of USDT to an address, from a wallet that is not the sandbox's payer's. */
async function send(address: string, cents: bigint): Promise<void> {
  const { faucet, usdt } = world.installation.sandbox().chain
  await rpc.sendTransaction({
    from: faucet.toLowerCase() as `0x${string}`,
    to: usdt.toLowerCase() as `0x${string}`,
    data: transferCall(address.toLowerCase() as `0x${string}`, { raw: cents * 10n ** 16n }),
    gas: transferGas,
  })
}

async function openCrypto(
  options = {},
): Promise<{ page: Page; payment: Awaited<ReturnType<typeof create>> }> {
  const payment = await create()
  const page = await world.open(payment.url, options)
  await choose(page, /^USDT/)
  await says(page, 'Envie 10,00 USDT')
  return { page, payment }
}

const addressOn = async (page: Page) => String(await page.locator('#pay-address').textContent())

test('a payer copies amount and address, sends a part, sees the rest and the same address, and sends the rest: paid', async () => {
  const { page, payment } = await openCrypto({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByText('Envie somente USDT e somente pela rede BNB Smart Chain (BEP20)').waitFor()
  await reloads(page, 'Envie 10,00 USDT')
  await world.examine(payment.url, 'waiting-crypto')
  const address = await addressOn(page)
  assert.match(address, /^0x[0-9a-fA-F]{40}$/)
  for (const [name, copied] of [
    ['Copiar Valor exato', '10.00'],
    ['Copiar Endereço', address],
  ] as const) {
    const button = page.getByRole('button', { name })
    assert.equal(await copiedBy(page, () => button.click()), copied)
    await button.waitFor()
  }
  const { body } = await world.api('GET', `/v1/payments/${payment.id}`)
  assert.deepEqual([body['cryptoAddress'], body['cryptoAmount']], [address, '10000000000000000000'])

  await page.evaluate('window.isKept = true')
  await send(address, 800n)
  await says(page, 'Pagamento incompleto')
  await page.getByText(/Recebemos 8,00\sUSDT de 10,00\. Envie mais 2,00 para este endereço/).waitFor()
  assert.equal(await addressOn(page), address)
  assert.equal(await page.locator('#pay-amount').textContent(), '2,00\u00a0USDT')
  // The code for wallets requests the missing amount, in the format of EIP-681.
  const state = await world.stateOf(payment)
  assert.ok(state.panel?.method === 'CRYPTO')
  assert.match(
    state.panel.uri,
    /^ethereum:0x\w{40}@\d+\/transfer\?address=0x\w{40}&uint256=2000000000000000000$/,
  )
  await reloads(page, 'Pagamento incompleto')
  await world.examine(payment.url, 'underpaid-crypto')

  await send(address, 200n)
  await says(page, 'Pagamento confirmado')
  await page.locator('.receipt').getByText('10,00 USDT').waitFor()
  await world.examine(payment.url, 'paid-crypto')
  assert.equal(await world.status(payment), 'PAID')
  await page.context().close()
})

/** Delays the stream's updates after money was detected, so that there is time to examine the page. */
const holdsWhenDetected = `
  const add = EventSource.prototype.addEventListener
  EventSource.prototype.addEventListener = function (type, listener) {
    add.call(this, type, (event) => {
      if (window.isHeld) return
      listener(event)
      window.isHeld = event.data !== undefined && JSON.parse(event.data).step === 'confirming'
    })
  }`

test('money that is detected on the network is shown before it is final', async (t) => {
  for (const options of devices) {
    // The sandbox's blocks are final in a second: on a machine that pauses for so long the page says paid at once.
    for (let tries = 1; ; tries++) {
      const payment = await create()
      const page = await world.open('about:blank', { ...options, bypassCSP: true, reducedMotion: 'reduce' })
      await page.addInitScript(holdsWhenDetected)
      await page.goto(payment.url)
      await choose(page, /^USDT/)
      await says(page, 'Envie 10,00 USDT')
      await send(await addressOn(page), 1_000n)
      const confirming = page.getByRole('heading', { name: 'Estamos confirmando o pagamento', exact: true })
      await confirming.or(page.getByRole('heading', { name: 'Pagamento confirmado', exact: true })).waitFor()
      const isConfirming = await confirming.isVisible()
      if (isConfirming) {
        await page
          .getByText(/Confirmado pela rede/)
          .first()
          .waitFor()
        await examine(page, 'confirming-crypto')
        t.diagnostic(`${tries} tries`)
      }
      await page.context().close()
      if (isConfirming) break
      assert.ok(tries < 10, 'money is shown before it is final')
    }
  }
})

test('a payer who sends too much sees so, and how much too much it was', async () => {
  const { page, payment } = await openCrypto()
  await send(await addressOn(page), 1_250n)
  await says(page, 'Pago com valor a mais')
  await page.getByText(/receber 2,50\sUSDT de volta/).waitFor()
  await reloads(page, 'Pago com valor a mais')
  await world.examine(payment.url, 'overpaid-crypto')
  await page.context().close()
})

test('a payer who sends too late sees that the time is over, then that money is coming, then that it has come', async () => {
  const { page, payment } = await openCrypto()
  await page.evaluate('window.isKept = true')
  await world.pay(payment, { scenario: 'late' })
  await says(page, 'Pago fora do prazo')
  assert.equal(await page.evaluate('window.isKept'), true)
  await reloads(page, 'Pago fora do prazo')
  await world.examine(payment.url, 'late-crypto')
  await page.context().close()
})

test('a transfer that a reorganisation removes is not shown as paid before it is final', async () => {
  const { page, payment } = await openCrypto()
  await world.pay(payment, { scenario: 'reorged' })
  await says(page, 'Pagamento confirmado')
  assert.equal(await world.status(payment), 'PAID')
  await page.context().close()
})

test('for an amount in USD the payer sends the same amount of USDT', async () => {
  const payment = await world.create({ amount: 500, currency: 'USD', paymentMethods: ['CRYPTO'] })
  const page = await world.open(payment.url)
  await choose(page, /^USDT/)
  await says(page, 'Envie 5,00 USDT')
  await world.pay(payment)
  await says(page, 'Pagamento confirmado')
  await page.context().close()
})
