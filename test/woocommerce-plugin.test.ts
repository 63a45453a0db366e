// What of the plug-in can be tested without PHP: its texts, and the script of the checkout block. `npm run test:tools woocommerce` tests the rest
// in a real shop.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'

const folder = join(import.meta.dirname, '..', 'integrations', 'woocommerce')
const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8')
const sources = readdirSync(join(folder, 'src')).map((name) => read('src', name))

/** A text of PHP in single quotes. */
const quoted = String.raw`'((?:[^'\\]|\\.)*)'`
const placeholders = (text: string) => [...text.matchAll(/%(?:\d\$)?s/g)].map(([all]) => all).toSorted()

test('every text of the plug-in is translated into each language, with the same placeholders, and no other is', () => {
  const call = new RegExp(String.raw`(?:__|esc_html__)\(${quoted}`, 'g')
  const used = new Set(sources.flatMap((source) => [...source.matchAll(call)].map(([, text = '']) => text)))
  assert.ok(used.size > 50)
  for (const name of readdirSync(join(folder, 'languages'))) {
    const entries = [...read('languages', name).matchAll(new RegExp(`${quoted} => ${quoted}`, 'g'))]
    const translated = new Map(entries.map(([, text = '', translation = '']) => [text, translation]))
    assert.deepEqual([...translated.keys()].toSorted(), [...used].toSorted(), name)
    for (const [text, translation] of translated)
      assert.deepEqual(placeholders(translation), placeholders(text), translation)
  }
})

test('no amount becomes a float', () => {
  for (const source of sources) assert.doesNotMatch(source, /\(float\)|floatval|round\(|number_format/)
})

test('the version of the plug-in is said once to WordPress and once to the API', () => {
  const [, ofHeader] = /Version: (\S+)/.exec(read('vintem-woocommerce.php')) ?? []
  const [, ofCalls] = /VERSION = '([^']+)'/.exec(read('src', 'Plugin.php')) ?? []
  assert.ok(ofHeader !== undefined)
  assert.equal(ofHeader, ofCalls)
})

test('the checkout block gets the method with the texts that the shop has set', () => {
  const registered: Record<string, unknown>[] = []
  const settings = { title: 'Pix &amp; card', description: 'Next page', supports: ['products'] }
  const window = {
    wc: {
      wcSettings: { getSetting: (name: string) => (name === 'vintem_data' ? settings : {}) },
      wcBlocksRegistry: {
        registerPaymentMethod: (method: Record<string, unknown>) => registered.push(method),
      },
    },
    wp: {
      element: { createElement: (type: (props: object) => unknown, props: object) => ({ type, props }) },
      htmlEntities: { decodeEntities: (text: string) => text.replaceAll('&amp;', '&') },
    },
  }
  runInNewContext(read('assets', 'blocks.js'), { window })
  const [method, ...others] = registered
  assert.ok(method !== undefined)
  assert.deepEqual(others, [])
  const { name, ariaLabel, content, supports } = method as {
    name: string
    ariaLabel: string
    content: { type: (props: object) => unknown }
    supports: { features: string[] }
  }
  assert.deepEqual([name, ariaLabel, content.type({})], ['vintem', 'Pix & card', 'Next page'])
  assert.deepEqual([...supports.features], ['products'])
})
