import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PeerCertificate } from 'node:tls'
import { partly } from '../../test/partly.ts'
import { addressOf } from './address.ts'
import { StartError } from './failure.ts'
import { loginOf, type Login } from './login.ts'

const of = (query: string, start = 'postgres://app:s%40t@db.example/vintem'): Login =>
  loginOf(new URL(`${start}${query}`))

test('names and passwords are decoded', () => {
  const { user, password, database } = of('', 'postgres://a%2Fb:p%25%3A@db/my%20shop')
  assert.deepEqual([user, password, database], ['a/b', 'p%:', 'my shop'])
})

test('sslmode means what it means to libpq', () => {
  assert.equal(of('').ssl, false)
  assert.equal(of('?sslmode=disable').ssl, false)
  assert.equal(of('?sslmode=allow').ssl, 'prefer')
  assert.equal(of('?sslmode=prefer').ssl, 'prefer')
  assert.equal(of('?sslmode=require').ssl, 'require')
  assert.equal(of('?ssl=true').ssl, 'require')
  const full = of('?sslmode=verify-full').ssl
  assert.deepEqual(full, { rejectUnauthorized: true })
  assert.deepEqual(of('?sslmode=verify-full&sslrootcert=system').ssl, full)
  assert.deepEqual(of('?sslrootcert=system').ssl, full)
  const ca = of('?sslmode=verify-ca').ssl
  assert.ok(typeof ca === 'object' && ca.rejectUnauthorized === true)
  assert.equal(ca.checkServerIdentity?.('other', partly<PeerCertificate>({})), undefined)
  // A file of authorities makes `require` check the chain.
  const file = of(`?sslmode=require&sslrootcert=${import.meta.filename}`).ssl
  assert.ok(typeof file === 'object' && file.rejectUnauthorized === true && file.ca !== undefined)
  // Node sends no name to an address, and compares with this.
  assert.deepEqual(of('?sslmode=verify-full', 'postgres://app@10.0.0.7/v').ssl, {
    host: '10.0.0.7',
    rejectUnauthorized: true,
  })
})

test('a binding of channels is believed only where the certificate is checked', () => {
  assert.equal(of('?sslmode=require&channel_binding=prefer').ssl, 'require')
  assert.deepEqual(of('?sslmode=verify-full&channel_binding=require').ssl, { rejectUnauthorized: true })
  assert.throws(() => of('?sslmode=require&channel_binding=require'), StartError)
})

test('what is not supported is refused by its name, and no part of a password is shown', () => {
  for (const [url, says] of [
    ['postgres://app:secret@db/v?sslcrl=x', /parameter sslcrl, which is not supported/],
    ['postgres://app:secret@db/v?sslmode=verify', /sslmode=verify is not supported/],
    ['postgres://app:secret@db/v?sslmode=require&sslrootcert=system', /sslrootcert=system does not go with/],
    [
      'postgres://app:secret@db/v?sslmode=verify-full&sslrootcert=/nowhere',
      /file of sslrootcert .* \(ENOENT\)/,
    ],
    ['postgres://app:se%cret@db/v', /a % that begins no code/],
    ['postgres://app:se@cret@db/v', /an @ after its host/],
    ['postgres://app:se/cret@db/v', /an @ after its host/],
    ['postgres://app:se?cret@db/v', /an @ after its host/],
    ['postgres://app:se#cret@db/v', /an @ after its host|not the URL/],
    ['postgres://app:secret@db/v%', /a % that begins no code/],
    ['postgres://app:secret@db/v?connect_timeout=soon', /connect_timeout .* is no number/],
  ] as const)
    assert.throws(
      () => addressOf(url),
      (error) => {
        assert.ok(error instanceof StartError, url)
        assert.match(error.message, says)
        assert.doesNotMatch(`${error.message} ${error.remedy}`, /secret|cret/)
        return true
      },
      url,
    )
})
