import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openCheckoutWorld } from '../../test/checkout-world.ts'
import { buildWebIfStale } from '../../web/build.ts'
import { loadCheckoutView } from './view.ts'

const root = join(import.meta.dirname, '../..')

test('the built view renders the page, and its files are served under their names', async () => {
  await buildWebIfStale(root)
  const view = loadCheckoutView(join(root, 'web/dist'))
  await using world = await openCheckoutWorld({ view })
  const payment = await world.newPayment({ request: { amount: 1_000, description: '<b>Two books</b>' } })
  const html = await (await world.get(world.path(payment))).text()
  assert.match(html, /<div id="page"><div class="page" data-step="waiting"/)
  assert.ok(html.includes('&lt;b>Two books') || html.includes('&lt;b&gt;Two books'))
  assert.ok(!html.includes('<b>Two'))
  assert.ok(!/ style=| on[a-z]+="/.test(html), 'nothing inline')
  for (const name of [view.script, view.style]) {
    const file = await world.get(`/assets/${name}`)
    assert.equal(file.status, 200)
    assert.match(file.headers.get('cache-control') ?? '', /immutable/)
  }
  assert.ok(gzipSync(view.files.get(view.script)?.body ?? '').length <= 20 * 1_024)
  assert.ok(gzipSync(view.files.get(view.style)?.body ?? '').length <= 8 * 1_024)
})
