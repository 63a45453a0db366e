import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPartnerPaySettings } from './settings.ts'

const secrets = { apiKey: 'abcdef0123456789', apiSecret: 'abcdef0123456789abcdef' }
const pointersOf = (settings: object, given: object = secrets) => {
  const checked = checkPartnerPaySettings({ ...settings }, { ...given })
  return checked.ok ? [] : checked.faults.map(({ pointer }) => pointer)
}

test('the keys are enough: the provider’s URL is the default', () => {
  const checked = checkPartnerPaySettings({}, secrets)
  assert.deepEqual(checked, {
    ok: true,
    settings: { apiUrl: 'https://bpay.binanceapi.com' },
    credentials: secrets,
  })
})

test('missing and invalid fields are named with their place', () => {
  assert.deepEqual(pointersOf({}, {}), ['/secrets/apiKey', '/secrets/apiSecret'])
  assert.deepEqual(pointersOf({}, { ...secrets, apiKey: 'two words' }), ['/secrets/apiKey'])
  assert.deepEqual(pointersOf({}, { ...secrets, apiSecret: 7 }), ['/secrets/apiSecret'])
  assert.deepEqual(pointersOf({ apiUrl: 'ftp://x' }), ['/settings/apiUrl'])
  assert.deepEqual(pointersOf({ subMerchantId: '12a' }), ['/settings/subMerchantId'])
})

test('plain HTTP is for this machine alone', () => {
  assert.deepEqual(pointersOf({ apiUrl: 'http://pay.example.com' }), ['/settings/apiUrl'])
  assert.deepEqual(pointersOf({ apiUrl: 'http://127.0.0.1:4013' }), [])
  assert.deepEqual(pointersOf({ apiUrl: 'https://pay.example.com' }), [])
})

test('no fault contains a secret', () => {
  const checked = checkPartnerPaySettings({}, { apiKey: 'very secret indeed', apiSecret: 'hush hush' })
  assert.ok(
    !checked.ok &&
      !JSON.stringify(checked).includes('secret indeed') &&
      !JSON.stringify(checked).includes('hush'),
  )
})
