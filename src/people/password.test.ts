// Passwords as they are stored, and which are accepted.
import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { faultOfPassword, checkPassword, hashPassword } from './password.ts'

test('a password is stored with its parameters, under a salt of its own, and compares', async () => {
  const [first, second] = await Promise.all([
    hashPassword('olá, mundo cruel'),
    hashPassword('olá, mundo cruel'),
  ])
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.deepEqual(await checkPassword(first, 'olá, mundo cruel'), { isRight: true, isOutdated: false })
  // The same letters in the other form of Unicode.
  assert.deepEqual(await checkPassword(first, 'olá, mundo cruel'.normalize('NFD')), {
    isRight: true,
    isOutdated: false,
  })
  assert.deepEqual(await checkPassword(first, 'olá, mundo cruel!'), { isRight: false, isOutdated: false })
  assert.deepEqual(await checkPassword(undefined, 'olá'), { isRight: false, isOutdated: false })
})

test('a hash of the reference form with older parameters is right, and outdated', async () => {
  const nonce = Buffer.from('somesaltsomesalt')
  const tag = argon2Sync('argon2id', {
    message: 'pass phrase',
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 64,
    passes: 1,
  })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const stored = `$argon2id$v=19$m=64,t=1,p=1$${text(nonce)}$${text(tag)}`
  assert.deepEqual(await checkPassword(stored, 'pass phrase'), { isRight: true, isOutdated: true })
})

/** The lowest that Argon2 has. */
const lowCost = { memory: 8, passes: 1, parallelism: 1 }

test('many at once are all answered, a flood is refused', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => checkPassword(undefined, 'x', lowCost)),
  )
  const refused = answers.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 8)
  assert.deepEqual(await checkPassword(undefined, 'x'), { isRight: false, isOutdated: false })
})

test('short, common, simple and obvious passwords are refused, others are not', () => {
  const fault = (password: string) => faultOfPassword(password, ['ana.souza@padaria.com.br', 'Ana Souza'])
  assert.equal(fault('elevenchars'), 'too_short')
  assert.equal(fault('x'.repeat(257)), 'too_long')
  assert.equal(fault('aaaaaaaaaaaa'), 'too_simple')
  assert.equal(fault('1qaz2wsx3edc'), 'too_common')
  assert.equal(fault('Password12345!'), 'too_common')
  assert.equal(fault('123passwordpassword'.slice(3)), 'too_common')
  assert.equal(fault('Vintem-Vintem-1'), 'names_you')
  assert.equal(fault('ana.souza@padaria.com.br'), 'names_you')
  assert.equal(fault('SouzaPadaria2026'), 'names_you')
  assert.equal(fault('correct horse battery staple'), undefined)
  assert.equal(fault('ana anda de bicicleta'), undefined)
  assert.equal(fault('🦊🐢🐝 três bichos'), undefined)
})

test('each bound of a password is the last that is accepted', () => {
  const fault = (password: string, known: readonly string[] = []) => faultOfPassword(password, known)
  const long = 'qzxwvk'.repeat(43)
  assert.deepEqual([fault(long.slice(0, 11)), fault(long.slice(0, 12))], ['too_short', undefined])
  assert.deepEqual([fault(long.slice(0, 256)), fault(long.slice(0, 257))], [undefined, 'too_long'])
  assert.deepEqual([fault('qzxwqzxwqzxwq'), fault('qzxwqzxwqzxwv')], ['too_simple', undefined])
  // Twice to four times; what nobody tries first may be repeated.
  for (const repeated of ['dragon'.repeat(2), '12345'.repeat(3), 'qwerty'.repeat(4), '123456'.repeat(3)])
    assert.equal(fault(repeated), 'too_common', repeated)
  assert.deepEqual(
    ['qwerty'.repeat(5), 'qzxwvkqzxwvk', 'dragonqzxwvk'].map((each) => fault(each)),
    [undefined, undefined, undefined],
  )
  // Six letters besides the words that a guesser knows, which have at least three.
  assert.deepEqual([fault('vintem-qzxwv'), fault('vintem-qzxwvk')], ['names_you', undefined])
  assert.equal(fault('8301 7462 9957'), undefined)
  assert.deepEqual([fault('ana1ana2ana3', ['Ana']), fault('li12li34li56', ['Li'])], ['names_you', undefined])
})
