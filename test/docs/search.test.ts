// The search of the built site: what people look for is among the first two results.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import { buildDocsIfStale } from '../../web/build-docs.ts'
import { excerptAround, queryOf, searchOptions } from '../../web/docs/search-options.ts'
import { root } from './page.ts'

let index: MiniSearch

before(async () => {
  await buildDocsIfStale(root)
  const packed = await readFile(join(root, 'web', 'dist-docs', 'site', 'search.json.gz'))
  index = MiniSearch.loadJSON(gunzipSync(packed).toString(), searchOptions)
})

const addressesOf = (words: string) => index.search(queryOf(words)).map(({ href }) => String(href))

const wanted: Readonly<Record<string, string>> = {
  refund: '/docs/integrating#refund-a-payment',
  'webhook secret': '/docs/webhooks#the-webhook-secret',
  '401': '/docs/problems#unauthenticated',
  'test card': '/docs/testing#card',
  port: '/docs/start#another-port-or-folder',
  idempotency: '/docs/idempotency',
  checkout: '/docs/checkout',
  'install sdk': '/docs/sdk',
  estorno: '/docs/integrating#refund-a-payment',
  saque: '/docs/withdrawals',
  payout: '/docs/withdrawals',
  cobrança: '/docs/payment-links',
}

for (const [words, address] of Object.entries(wanted))
  test(`"${words}" finds ${address} among the first two`, () => {
    assert.ok(addressesOf(words).slice(0, 2).includes(address), addressesOf(words).slice(0, 4).join(' '))
  })

test('decisions are found, and come behind the pages for users', () => {
  const found = addressesOf('refund')
  const at = found.findIndex((href) => href.startsWith('/docs/decisions/'))
  assert.ok(at >= 10, `a decision is number ${at + 1} of ${found.length}`)
})

test('a result shows the text around the first word that was found', () => {
  const text = `${'one two three four five six '.repeat(6)}refund ${'seven eight nine ten '.repeat(9)}`
  const shown = excerptAround(text, ['nothing', 'refund'])
  assert.match(shown, /^… .*refund.*…$/)
  assert.ok(shown.length < 130)
  assert.match(excerptAround(text, ['nothing']), /^one two/)
  const [first] = index.search(queryOf('estorno'))
  assert.match(excerptAround(String(first?.['excerpt']), first?.terms ?? []), /refund/i)
})
