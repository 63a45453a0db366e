import assert from 'node:assert/strict'
import { test } from 'node:test'
import pems from '../../../test/rails/pix/certificates.json' with { type: 'json' }
import { p12Secrets, pemSecrets } from '../../../test/rails/pix/psp.ts'
import { checkPixPayoutSettings, checkPixSettings } from './settings.ts'

const settings = {
  profile: 'bacen',
  baseUrl: 'https://pix.example.com/api',
  tokenUrl: 'https://pix.example.com/oauth/token',
  pixKey: 'ana@example.com',
  receiverName: 'Padaria São João',
  receiverCity: 'Recife',
  ca: pems.ca,
}

const pointersOf = (given: object, secrets: object = pemSecrets) => {
  const checked = checkPixSettings({ ...settings, ...given }, { ...secrets })
  return checked.ok ? [] : checked.faults.map(({ pointer }) => pointer)
}

test('complete parts are read, without the accents that a BR Code cannot have', () => {
  const checked = checkPixSettings(settings, pemSecrets)
  assert.ok(checked.ok)
  assert.deepEqual(checked.settings.receiver, { name: 'Padaria Sao Joao', city: 'Recife' })
  assert.deepEqual(checked.credentials.tls, { cert: pems.clientCert, key: pems.clientKey })
  const asFile = checkPixSettings(settings, p12Secrets)
  assert.deepEqual(asFile.ok && asFile.credentials.tls, {
    pfx: Buffer.from(pems.pfx, 'base64'),
    passphrase: pems.passphrase,
  })
})

test('the profile of a PSP knows its URLs', () => {
  const { baseUrl: _base, tokenUrl: _token, ...rest } = settings
  const checked = checkPixSettings({ ...rest, profile: 'efi' }, p12Secrets)
  assert.equal(checked.ok && checked.settings.baseUrl, 'https://pix.api.efipay.com.br/v2')
  const bare = checkPixSettings(rest, p12Secrets)
  assert.deepEqual(!bare.ok && bare.faults.map(({ pointer }) => pointer), [
    '/settings/baseUrl',
    '/settings/tokenUrl',
  ])
})

test('every fault is named with its place', () => {
  for (const [given, pointer] of [
    [{ profile: 'unknown' }, '/settings/profile'],
    [{ profile: undefined }, '/settings/profile'],
    [{ baseUrl: 'http://pix.example.com' }, '/settings/baseUrl'],
    [{ tokenUrl: 'nowhere' }, '/settings/tokenUrl'],
    [{ pixKey: 'ana @example.com' }, '/settings/pixKey'],
    [{ pixKey: 7 }, '/settings/pixKey'],
    [{ receiverName: 'A'.repeat(26) }, '/settings/receiverName'],
    [{ receiverCity: '東京' }, '/settings/receiverCity'],
    [{ receiverCity: '' }, '/settings/receiverCity'],
    [{ ca: 'PEM' }, '/settings/ca'],
  ] as const) {
    assert.equal(pointersOf(given)[0], pointer)
  }
  assert.deepEqual(pointersOf({ baseUrl: 'http://127.0.0.1:4010/v2' }), [])
  // Each once: of an unknown profile nothing else is known, and a URL that does not fit is not missing.
  assert.deepEqual(pointersOf({ profile: 'unknown' }, { ...pemSecrets, clientSecret: undefined }), [
    '/settings/profile',
  ])
  for (const name of ['baseUrl', 'tokenUrl'])
    assert.deepEqual(pointersOf({ [name]: 'nowhere' }), [`/settings/${name}`])
})

test('a BR Code takes a name of 25 characters and a city of 15, with a letter or digit', () => {
  assert.deepEqual(pointersOf({ receiverName: 'n'.repeat(25), receiverCity: 'c'.repeat(15) }), [])
  assert.deepEqual(pointersOf({ receiverName: 'n'.repeat(26) }), ['/settings/receiverName'])
  assert.deepEqual(pointersOf({ receiverCity: 'c'.repeat(16) }), ['/settings/receiverCity'])
  assert.deepEqual(pointersOf({ receiverName: '--' }), ['/settings/receiverName'])
})

test('a connection that sends needs a profile with payouts; its URLs and secrets are checked as others are', () => {
  const sending = { profile: 'efi', pixKey: 'ana@example.com' }
  const check = (given: object, secrets: object = pemSecrets) => {
    const checked = checkPixPayoutSettings({ ...sending, ...given }, { ...secrets })
    return checked.ok ? [] : checked.faults.map(({ pointer }) => pointer)
  }
  const checked = checkPixPayoutSettings({ ...sending, account: 'a1-x' }, pemSecrets)
  assert.ok(checked.ok)
  const { baseUrl, tokenUrl, account } = checked.settings
  assert.deepEqual(
    [baseUrl, tokenUrl, account],
    ['https://pix.api.efipay.com.br', 'https://pix.api.efipay.com.br/oauth/token', 'a1-x'],
  )
  const ofBacen = { profile: 'bacen', baseUrl: settings.baseUrl, tokenUrl: settings.tokenUrl }
  assert.deepEqual(check(ofBacen), ['/settings/profile'])
  assert.deepEqual(check({ profile: 'bacen' }), [
    '/settings/profile',
    '/settings/baseUrl',
    '/settings/tokenUrl',
  ])
  assert.deepEqual(check({ baseUrl: 'nowhere' }), ['/settings/baseUrl'])
  assert.deepEqual(check({}, { clientId: 'shop', clientSecret: 's' }), [
    '/secrets/certificate',
    '/secrets/privateKey',
  ])
  assert.deepEqual(check({}, { ...pemSecrets, clientSecret: undefined }), ['/secrets/clientSecret'])
})

test('credentials that cannot work are found before the first call, and never shown', () => {
  for (const [secrets, pointer] of [
    [{ ...pemSecrets, clientId: undefined }, '/secrets/clientId'],
    [{ ...pemSecrets, clientSecret: '' }, '/secrets/clientSecret'],
    [{ ...pemSecrets, certificate: 'hush' }, '/secrets/certificate'],
    [{ ...pemSecrets, privateKey: 'hush' }, '/secrets/privateKey'],
    [{ ...pemSecrets, privateKey: pems.strangerKey }, '/secrets/privateKey'],
    [{ ...p12Secrets, passphrase: 'hush' }, '/secrets/pfx'],
    [{ ...p12Secrets, pfx: 'hush' }, '/secrets/pfx'],
  ] as const) {
    const checked = checkPixSettings(settings, secrets)
    assert.ok(!checked.ok)
    assert.deepEqual(
      checked.faults.map((each) => each.pointer),
      [pointer],
    )
    assert.doesNotMatch(JSON.stringify(checked), /hush|PRIVATE KEY/)
  }
  for (const [left, missing] of [
    [{ certificate: pemSecrets.certificate }, '/secrets/privateKey'],
    [{ privateKey: pemSecrets.privateKey }, '/secrets/certificate'],
  ] as const)
    assert.deepEqual(pointersOf({}, { clientId: 'shop', clientSecret: 's', ...left }), [missing])
  const neither = checkPixSettings(settings, { clientId: 'shop', clientSecret: 's' })
  assert.deepEqual(!neither.ok && neither.faults.map((each) => each.pointer), [
    '/secrets/certificate',
    '/secrets/privateKey',
  ])
})
