// The parts of a connection as they are given: which values a field takes, and every fault at its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as T } from 'typebox'
import { readSentParts } from './connection-parts.ts'
import type { ConnectionParts, ConnectionType } from './connection-type.ts'
import { cut } from './cut.ts'
import { providerUrl, readParts, shaped, text, type Fields } from './settings.ts'

const settings = T.Object({
  name: text(),
  url: providerUrl({ default: 'https://psp.example' }),
  note: T.Optional(text()),
  tags: T.Array(shaped(/^[a-z]+$/, 'A tag is small letters.'), {
    default: [],
    maxItems: 2,
    fault: 'This is a list of two.',
  }),
})

/** The settings as they are read, or their faults as `pointer message`. */
const read = (given: Fields) => {
  const checked = readParts({ settings }, { settings: given })
  return checked.ok
    ? checked.parts.settings
    : checked.faults.map(({ pointer, message }) => `${pointer} ${message}`)
}

test('a field that is left out has its default or is absent, or is needed; an empty text counts as left out', () => {
  for (const nothing of [undefined, null, '']) {
    const without = { name: 'Loja', url: nothing, note: nothing, tags: nothing }
    assert.deepEqual(read(without), { name: 'Loja', url: 'https://psp.example', tags: [] }, String(nothing))
    assert.deepEqual(read({ name: nothing }), ['/settings/name This is needed.'], String(nothing))
  }
  const given = { name: 'Loja', url: 'https://other.example', note: 'x', tags: ['a'] }
  assert.deepEqual(read(given), given)
})

test('a value that does not fit is a fault at its place: a field, an item of a list, or the whole list', () => {
  const faults: readonly (readonly [Fields, ...string[]])[] = [
    [{ name: 7 }, '/settings/name This is to be a text.'],
    [{ name: ['Loja'] }, '/settings/name This is to be a text.'],
    [{ name: 'Loja', tags: 'a' }, '/settings/tags This is a list of two.'],
    [
      { name: 'Loja', tags: ['A', 'b', 7] },
      ...[0, 2].map((at) => `/settings/tags/${at} A tag is small letters.`),
    ],
    [{ name: 'Loja', tags: ['A'] }, '/settings/tags/0 A tag is small letters.'],
    [{ name: 'Loja', tags: ['a', 'b', 'c'] }, '/settings/tags This is a list of two.'],
    [{ url: 'nowhere' }, '/settings/name This is needed.', '/settings/url This is to be an https:// URL.'],
  ]
  for (const [given, ...said] of faults) assert.deepEqual(read(given), said, JSON.stringify(given))
})

test('a provider is at https, or on this machine', () => {
  for (const [url, isTaken] of [
    ['https://psp.example/v1', true],
    ['http://psp.example/v1', false],
    ['http://localhost:4000', true],
    ['http://127.0.0.1', true],
    ['http://[::1]:4000', true],
    ['http://127.0.0.1.example', false],
    ['ftp://localhost', false],
    ['localhost', false],
  ] as const)
    assert.equal(Array.isArray(read({ name: 'Loja', url })), !isTaken, url)
})

test('faults of several fields together are found as well', () => {
  const checked = readParts(
    { settings },
    { settings: { name: 'Loja' } },
    ({ settings: { name } }, complain) => {
      if (name === 'Loja') complain('/settings/name', 'This name is taken.')
    },
  )
  assert.deepEqual(!checked.ok && checked.faults.map(({ pointer }) => pointer), ['/settings/name'])
})

const keys = T.Object({ key: text() })
const type = (more: Partial<ConnectionType> = {}): ConnectionType => ({
  method: 'PIX',
  providers: ['one', 'two'],
  page: 'page.md',
  settings,
  secrets: keys,
  refundSecrets: keys,
  faults: (parts) => {
    const checked = readParts({ settings, secrets: keys }, parts)
    return checked.ok ? [] : checked.faults
  },
  accountsOf: () => [],
  probe: async () => [],
  ...more,
})
const { refundSecrets: _, ...sending } = type()
const sent = {
  provider: 'one',
  settings: { name: 'Loja' },
  secrets: { key: 'a' },
  refundSecrets: { key: 'b' },
}
const faultsOf = (of: ConnectionType, more: object) => {
  const checked = readSentParts(of, { ...sent, ...more })
  return checked.ok ? [] : checked.faults.map(({ pointer }) => pointer)
}

test('parts that came over the network have their own fields, objects and providers alone', () => {
  const cases: readonly (readonly [object, ...string[]])[] = [
    [{}],
    [{ refundSecrets: undefined }],
    [{ provider: 'three' }, '/provider'],
    [{ settings: undefined }, '/settings'],
    ...[null, 'x', 7, ['x']].map((settings) => [{ settings }, '/settings'] as const),
    [{ secrets: { key: 'a', more: 'b' } }, '/secrets/more'],
    [{ refundSecrets: null }, '/refundSecrets'],
    [{ settings: {} }, '/settings/name'],
    [{ refundSecrets: {} }, '/refundSecrets/key'],
  ]
  for (const [more, ...pointers] of cases)
    assert.deepEqual(faultsOf(type(), more), pointers, JSON.stringify(more))
})

test('a connection that only sends has no secrets for refunds: its secrets are for workers alone', () => {
  assert.deepEqual(faultsOf(sending, {}), ['/refundSecrets'])
  assert.deepEqual(faultsOf(sending, { refundSecrets: undefined }), [])
  const stored = (of: ConnectionType, more: object): ConnectionParts | undefined => {
    const checked = readSentParts(of, { ...sent, ...more })
    return checked.ok ? checked.connection : undefined
  }
  assert.deepEqual(stored(sending, { refundSecrets: undefined }), {
    provider: 'one',
    settings: { name: 'Loja' },
    secrets: {},
    refundSecrets: { key: 'a' },
  })
  assert.deepEqual(stored(type(), {}), sent)
})

test('a text is cut to its limit, and no character in two', () => {
  for (const [whole, max, then] of [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 4, 'ab😀'],
    ['ab😀', 3, 'ab'],
    ['', 3, ''],
  ] as const)
    assert.equal(cut(whole, max), then, `${whole} to ${max}`)
})
