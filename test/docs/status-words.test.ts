// The documents call the statuses of payments what the dashboard calls them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { paymentStatuses } from '#/contract/payments.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import { paymentStatusWords } from '#/kernel/status-words.ts'
import { root } from './page.ts'

const tables: readonly (readonly [path: string, locale: Locale])[] = [
  ['docs/integrating.md', 'en'],
  ['docs/guia.md', 'pt-BR'],
]

test('the tables of statuses have every status once, with its word', () => {
  for (const [path, locale] of tables) {
    const text = readFileSync(join(root, path), 'utf8')
    const rows = [...text.matchAll(/^\| ([A-Z_]+) \| ([^|]+) \|/gm)].map(([, status = '', word = '']) => ({
      status,
      line: `${status}: ${word}`,
    }))
    const expected = paymentStatuses.map(
      (status) => `${status}: ${paymentStatusWords[status][locales.indexOf(locale)] ?? ''}`,
    )
    const found = rows.filter(({ status }) => (paymentStatuses as readonly string[]).includes(status))
    assert.deepEqual(found.map(({ line }) => line).toSorted(), expected.toSorted(), path)
  }
})
