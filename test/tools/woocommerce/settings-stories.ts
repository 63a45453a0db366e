// Stories about the plug-in's settings, texts and end.
import assert from 'node:assert/strict'
import type { ShopWorld } from './world.ts'

export async function secrets({ shop, sandbox, line }: ShopWorld): Promise<void> {
  const hidden = [sandbox.apiKey, sandbox.webhookSecret]
  const sees = (text: string, what: string) => {
    for (const secret of hidden) assert.ok(!text.includes(secret), `${what} has a secret`)
  }
  const own = { enabled: '1', api_url: line.url, checkout: 'default' }
  const { html } = await shop.act<{ html: string }>('page')
  assert.match(html, /type="password"[^>]*value=""/)
  sees(html, 'the settings page')
  sees(JSON.stringify(await shop.act('gateway')), 'the API of gateways')
  sees(JSON.stringify(await shop.act('get', { name: 'woocommerce_vintem_settings' })), 'the option')
  const typed = { ...own, api_key: sandbox.apiKey, webhook_secret: sandbox.webhookSecret }
  assert.match(
    (await shop.act<{ messages: string }>('save', { fields: typed })).messages,
    /Connected to .*sandbox/,
  )
  // Empty fields keep what is saved; wrong ones are refused.
  assert.match((await shop.act<{ messages: string }>('save', { fields: own })).messages, /Connected to/)
  const wrong = { ...own, webhook_secret: 'secret', api_url: 'http://pay.example.com' }
  const { messages } = await shop.act<{ messages: string }>('save', { fields: wrong })
  assert.match(messages, /begins with whsec_/)
  assert.match(messages, /begins with https:/)
  const key = 'a-key-that-is-not-valid'
  assert.deepEqual(await shop.act('put', { settings: { api_key: key } }), { status: 200 })
  hidden.push(key)
  sees(JSON.stringify(await shop.act('gateway')), 'the API of gateways')
  assert.match((await shop.act<{ messages: string }>('save', { fields: own })).messages, /rejects the key/)
  await shop.act('save', { fields: typed })
  const { text } = await shop.act<{ text: string }>('logs')
  assert.match(text, /a webhook was refused/)
  sees(text, 'the log')
  sees(shop.running.output(), "PHP's output")
}

export async function texts({ shop }: ShopWorld): Promise<void> {
  const text = 'You choose how to pay on the next page.'
  const translated = async (locale: string) =>
    (await shop.act<{ text: string }>('translate', { locale, text })).text
  assert.equal(await translated('pt_BR'), 'Você escolhe a forma de pagamento na próxima página.')
  assert.equal(await translated('es_MX'), 'Usted elige la forma de pago en la página siguiente.')
  assert.equal(await translated('fr_FR'), text)
}

export async function uninstalled({ shop }: ShopWorld): Promise<void> {
  const { order } = await shop.begin(2)
  assert.deepEqual(await shop.act('uninstall'), { settings: false, secrets: false })
  const left = await shop.order(order.id)
  assert.deepEqual([left.status, left.record, left.notes], [order.status, order.record, order.notes])
}
