import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { systemClock as clock } from '#/kernel/time.ts'
import {
  changePassphrase,
  createKey,
  importKey,
  listKeys,
  openJournalKey,
  openKeys,
  storeJournalKey,
  type Keystore,
} from './keys.ts'

const root = mkdtempSync(join(tmpdir(), 'vintem-keys-'))
after(() => rmSync(root, { recursive: true, force: true }))

let stores = 0
function newStore(passphrase = 'correct horse battery'): Keystore {
  stores += 1
  return { folder: join(root, String(stores)), passphrase: Buffer.from(passphrase), scryptN: 1_024 }
}

// The key of EIP-155's example.
const secret = Buffer.alloc(32, 0x46)
const address = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'

test('an imported key opens again with its passphrase, and its file shows nothing of it', () => {
  const store = newStore()
  assert.equal(importKey(store, 'hot', secret, clock).address, address)
  const keys = openKeys(store, [address])
  assert.ok(keys.withSecret(address, (opened) => opened.equals(secret)))
  const file = readFileSync(join(store.folder, `${address}.json`))
  for (const encoding of ['hex', 'base64', 'latin1'] as const)
    assert.equal(file.includes(secret.toString(encoding)), false)
  keys.close()
})

test('only their owner may access the folder and its files; otherwise they are not used', () => {
  const store = newStore()
  importKey(store, 'hot', secret, clock)
  const path = join(store.folder, `${address}.json`)
  assert.deepEqual([statSync(store.folder).mode & 0o777, statSync(path).mode & 0o777], [0o700, 0o600])
  assert.deepEqual(readdirSync(store.folder), [`${address}.json`])
  chmodSync(path, 0o640)
  assert.throws(() => listKeys(store.folder), /Others may read or write/)
  chmodSync(path, 0o600)
  chmodSync(store.folder, 0o750)
  assert.throws(() => listKeys(store.folder), /Others may enter/)
})

test('new keys are listed with their purposes, without a passphrase', () => {
  const store = newStore()
  const made = (['hot', 'treasury', 'gas'] as const).map((purpose) => createKey(store, purpose, clock))
  assert.equal(new Set(made.map((each) => each.address)).size, 3)
  assert.deepEqual(
    listKeys(store.folder),
    made.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  )
  const keys = openKeys(
    store,
    made.map((each) => each.address),
  )
  assert.deepEqual(keys.facts, made)
  keys.close()
})

test('close overwrites every key', () => {
  const store = newStore()
  importKey(store, 'hot', secret, clock)
  const keys = openKeys(store, [address])
  const kept = keys.withSecret(address, (opened) => opened)
  keys.close()
  assert.deepEqual(kept, Buffer.alloc(32))
  assert.throws(() => keys.withSecret(address, () => undefined), /the key is open/)
})

test('another passphrase, a changed bit, another purpose and another name open nothing, and the error reveals nothing', () => {
  const store = newStore()
  importKey(store, 'gas', secret, clock)
  const path = join(store.folder, `${address}.json`)
  const whole = readFileSync(path, 'utf8')
  const fails = (why: RegExp) =>
    assert.throws(
      () => openKeys(store, [address]),
      (error: Error) => why.test(error.message) && !JSON.stringify(error).includes('4646'),
    )
  assert.throws(
    () => openKeys({ ...store, passphrase: Buffer.from('correct horse bAttery') }, [address]),
    /does not open/,
  )
  const sealed = must(/"sealed": "([^"]+)"/.exec(whole)?.[1], 'it is sealed')
  const bytes = Buffer.from(sealed, 'base64')
  bytes[40] = must(bytes[40], 'a byte') ^ 1
  for (const [changed, why] of [
    [whole.replace(sealed, bytes.toString('base64')), /does not open/],
    [whole.replace('"gas"', '"hot"'), /does not open/],
    [whole.replace('"version": 1', '"version": 2'), /version/],
    [whole.replace('"N": 1024', '"N": 1073741824'), /kdf\.N/],
    [whole.replace('"N": 1024', '"N": 1025'), /scrypt/],
    [whole.replace(address, address.replace('9', '8')), /another address/],
    [whole.slice(0, -10), /is not JSON/],
  ] as const) {
    writeFileSync(path, changed)
    fails(why)
  }
  assert.throws(() => openKeys(newStore(), [address]), /There is no key of/)
})

test('a key is never overwritten, and an invalid private key is not imported', () => {
  const store = newStore()
  importKey(store, 'hot', secret, clock)
  assert.throws(() => importKey(store, 'treasury', secret, clock), /already there/)
  const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex')
  for (const none of [Buffer.alloc(32), order, Buffer.alloc(31, 1), Buffer.alloc(33, 1)])
    assert.throws(() => importKey(store, 'hot', none, clock), /no private key/)
  assert.equal(listKeys(store.folder).length, 1)
})

test('the passphrase can be changed, also after an interrupted change', () => {
  const store = newStore()
  const made = [createKey(store, 'hot', clock), createKey(store, 'gas', clock)].map((each) => each.address)
  storeJournalKey(store, Buffer.alloc(32, 7))
  const next = { ...store, passphrase: Buffer.from('another passphrase') }
  const name = `${made[0]}.json`
  const before = readFileSync(join(store.folder, name))
  changePassphrase(store, next.passphrase)
  // Simulates a kill before this file was written.
  writeFileSync(join(store.folder, name), before)
  assert.throws(() => openKeys(next, made), /does not open/)
  changePassphrase(store, next.passphrase)
  openKeys(next, made).close()
  assert.deepEqual(openJournalKey(next), Buffer.alloc(32, 7))
  assert.throws(() => openKeys(store, made), /does not open/)
  assert.throws(() => openJournalKey(store), /does not open/)
})
