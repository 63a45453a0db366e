import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withServedLinks } from './links.ts'

const served = new Map([
  ['docs/webhooks.md', 'webhooks.md'],
  ['docs/start.md', 'start.md'],
  ['docs/rails/pix.md', 'rails/pix.md'],
  ['SECURITY.md', 'security.md'],
  ['sdk/typescript/README.md', 'sdk.md'],
])
const relinked = (text: string, from = 'docs/rails/pix.md') => withServedLinks(text, from, served)

test('a link to a served file leads to where that is served, from every folder', () => {
  assert.equal(relinked('[a](../webhooks.md#order)'), '[a](../webhooks.md#order)')
  assert.equal(relinked('[a](../../SECURITY.md)'), '[a](../security.md)')
  assert.equal(relinked('[a](docs/rails/pix.md)', 'SECURITY.md'), '[a](rails/pix.md)')
  assert.equal(relinked('[a\nb](../../sdk/typescript/README.md)'), '[a\nb](../sdk.md)')
  assert.equal(relinked('[`a`](../../openapi.json)'), '[`a`](/openapi.json)')
  assert.equal(relinked('![A picture](../screens/a.png)'), '![A picture](../screens/a.png)')
  assert.equal(relinked('[first](../../README.md#two-commands)'), '[first](../start.md)')
})

test('of a link to another file the words stay; a whole address, an anchor and code are left alone', () => {
  assert.equal(relinked('in [`a.ts`](../../src/a.ts#L3), [b](../../README.md)'), 'in `a.ts`, b')
  for (const text of ['[a](https://example.com/a.md)', '[a](#b)', '```ts\n[a](../../src/a.ts)\n```'])
    assert.equal(relinked(text), text)
})
