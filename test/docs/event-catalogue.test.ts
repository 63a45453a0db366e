// docs/event-catalogue.md has every event of openapi.json with its meaning and its body, and none besides.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBlocks, root } from './page.ts'

type Described = {
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
}
type Operation = {
  readonly description: string
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
}

const { webhooks } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Described
const page = readFileSync(join(root, 'docs/event-catalogue.md'), 'utf8')

test('the catalogue has every type of openapi.json once, when it is sent, and its body', () => {
  const parts = page
    .split(/^### /m)
    .slice(1)
    .map((part) => ({ type: /^`([^`]+)`\n/.exec(part)?.[1] ?? '', part }))
  assert.deepEqual(parts.map(({ type }) => type).toSorted(), Object.keys(webhooks).toSorted())
  assert.ok(parts.length >= 29, `${parts.length} types`)
  for (const { type, part } of parts) {
    const [block, ...more] = readBlocks(type, part)
    assert.ok(block !== undefined && more.length === 0, `${type}: one block`)
    const described = webhooks[type]?.post
    assert.deepEqual(JSON.parse(block.text), described?.requestBody.content['application/json'].example, type)
    const meaning = part.split('\n')[2] ?? ''
    assert.ok(
      meaning.length > 10 && described?.description.startsWith(meaning) === true,
      `${type}: ${meaning}`,
    )
  }
})
