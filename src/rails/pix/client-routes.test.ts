// The sandbox's bank has answered every call that the PIX rails make, of API Pix and of the payout API. A call that is added to a
// client needs its line here, or this test fails.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { TLSSocket } from 'node:tls'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { exercise } from '../../../test/client-routes.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { startPixBank } from '../../../test/rails/pix/bank.ts'
import { openPayingAccount } from '../../../test/rails/pix/payout.ts'
import { clientOf } from '../../../test/rails/pix/rail.ts'
import { pixRoutes } from './client.ts'
import { createPayoutClient, payoutRoutes } from './payout-client.ts'
import { checkPixSettings } from './settings.ts'

const bank = openForTests(startPixBank)

const plain = () => newId().replaceAll('-', '')
const span = { from: addMs(systemClock.now(), -hourMs), to: addMs(systemClock.now(), hourMs) }
const token = 'POST /oauth/token'

async function count(pages: AsyncIterable<{ readonly length: number }>): Promise<number> {
  let found = 0
  for await (const page of pages) found += page.length
  return found
}

/** The callback server that the bank may register: it accepts only the bank's certificate. */
async function startReceiver(t: TestContext): Promise<string> {
  const { certificate, privateKey } = await bank.control('POST', '/server-certificates', {
    hosts: ['127.0.0.1'],
  })
  const tls = { cert: String(certificate), key: String(privateKey), requestCert: true }
  const server = createServer({ ...tls, rejectUnauthorized: false }, (request, response) => {
    const isKnown =
      request.socket instanceof TLSSocket && request.socket.getPeerX509Certificate() !== undefined
    request.resume().on('end', () => response.writeHead(isKnown ? 200 : 403).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

test('every call of the client of API Pix is answered by the bank', async (t) => {
  const { settings, secrets } = await bank.customer()
  const { pixKey } = settings
  const client = clientOf(t, settings, secrets)
  const chargeOf = (txid: string) => ({
    txid,
    amount: 12_00n,
    expiresInSeconds: 600,
    pixKey,
    note: 'Order 7',
  })
  const [open, paid] = [plain(), plain()]
  await client.putCharge(chargeOf(open))
  await client.putCharge(chargeOf(paid))
  const endToEndId = await bank.paid(paid)
  const url = await startReceiver(t)
  const payer = { taxId: { kind: 'CPF', number: '52998224725' }, name: 'Ana' } as const
  await exercise(
    pixRoutes,
    `${bank.apiUrl}/v2`,
    {
      putCharge: () => client.putCharge({ ...chargeOf(plain()), payer }),
      getCharge: async () => assert.equal((await client.getCharge(paid))?.value.status, 'CONCLUIDA'),
      patchCharge: async () => assert.equal(await client.removeCharge(open), 'removed'),
      getReceived: async () => must(await client.getReceived(endToEndId), 'it is there'),
      async listReceived() {
        assert.equal(await count(client.listReceived(span)), 1)
        assert.equal(await count(client.listReceived({ ...span, onlyReturned: true })), 0)
      },
      putReturn: () => client.putReturn({ endToEndId, id: 'r1', amount: 1_00n, note: 'one item' }),
      getReturn: async () => must(await client.getReturn(endToEndId, 'r1'), 'it is there'),
      putWebhook: () => client.putWebhook(pixKey, url),
      getWebhook: async () => assert.equal(await client.getWebhook(pixKey), url),
      async removeWebhook() {
        await client.removeWebhook(pixKey)
        assert.equal(await client.getWebhook(pixKey), undefined)
      },
    },
    [token],
  )
})

test('every call of the client of the payout API is answered by the bank', async (t) => {
  const account = await openPayingAccount(bank)
  t.after(() => account.stop())
  const { settings, refundSecrets = {} } = account.connection
  const checked = checkPixSettings({ ...settings, profile: 'efi' }, refundSecrets)
  assert.ok(checked.ok, JSON.stringify(checked))
  const client = createPayoutClient({
    ...checked.settings,
    credentials: checked.credentials,
    clock: systemClock,
    log: silentLog,
  })
  t.after(() => client.close())
  const reference = plain()
  const { pixKey } = checked.settings
  await exercise(
    payoutRoutes,
    bank.apiUrl,
    {
      put: () =>
        client.put({ reference, amount: 1_00n, from: pixKey, to: 'ana@example.com', note: 'Order 7' }),
      find: async () => must(await client.find(reference), 'it is there'),
      list: async () => assert.equal(await count(client.list(span)), 1),
      balance: async () => assert.ok((await client.balance()) > 0n),
    },
    [token],
  )
})
