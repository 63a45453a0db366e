// Where providers call us, and whether they accepted the address: by certificate it is registered, by signature a person enters it.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { pemSecrets, startTestPsp } from '../../test/rails/pix/psp.ts'
import { connectionOf } from '../../test/rails/pix/rail.ts'
import { callbackAddress, connectionNames, nameOf, registerCallbacks, typeNamed } from './connection-types.ts'

const deps = { clock: systemClock, log: silentLog }
const urls = { certified: 'https://callbacks.example', api: 'https://api.example' }
const card = connectionOf(
  { publishableKey: 'pk_test_1', currencies: ['EUR'] },
  { secretKey: 'sk_test_1' },
  { method: 'CREDIT_CARD', provider: 'stripe' },
)

/** A connection at a PSP that answers a registration with this status. `isSending`: it only sends. */
async function pixAt(t: TestContext, status: number, { isSending = false } = {}) {
  const psp = await startTestPsp(({ method }) => (method === 'PUT' ? { status } : undefined))
  t.after(() => psp.stop())
  const at = { baseUrl: psp.url, tokenUrl: `${psp.url}/oauth/token`, ca: psp.ca, pixKey: 'k' }
  const connection = isSending
    ? connectionOf(at, {}, { method: 'PIX_PAYOUT', provider: 'efi', refundSecrets: pemSecrets })
    : connectionOf({ ...at, receiverName: 'Loja', receiverCity: 'Recife' }, pemSecrets)
  const put = () => psp.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { connection, put }
}

test('a type is found by its name in commands and addresses', () => {
  assert.equal(nameOf('CREDIT_CARD'), 'credit-card')
  for (const name of connectionNames) assert.equal(nameOf(typeNamed(name)?.method ?? ''), name)
  assert.equal(typeNamed('crypto'), undefined)
})

test('a provider that shows its certificate gets our address at the door of certificates', async (t) => {
  const { connection, put } = await pixAt(t, 200)
  const url = `https://callbacks.example/callbacks/pix/${connection.id}`
  assert.deepEqual(await callbackAddress(deps, connection, urls), { url, isByHand: false })
  assert.deepEqual(put(), [])
  assert.deepEqual(await registerCallbacks(deps, connection, urls), { kind: 'registered', url })
  assert.deepEqual(put(), [JSON.stringify({ webhookUrl: url })])
  const refused = await pixAt(t, 400)
  const answer = await registerCallbacks(deps, refused.connection, urls)
  assert.ok(answer.kind === 'refused')
  assert.match(answer.why, /HTTP 400/)
})

test('at a provider that signs its callbacks a person enters the address of the API', async () => {
  const url = `https://api.example/callbacks/credit-card/${card.id}`
  assert.deepEqual(await callbackAddress(deps, card, urls), { url, isByHand: true })
  assert.deepEqual(await registerCallbacks(deps, card, urls), { kind: 'by_hand', url })
})

test('a connection that only sends is called back nowhere', async (t) => {
  const { connection, put } = await pixAt(t, 200, { isSending: true })
  assert.equal(await callbackAddress(deps, connection, urls), undefined)
  assert.deepEqual(await registerCallbacks(deps, connection, urls), { kind: 'receives_nothing' })
  assert.deepEqual(put(), [])
})
