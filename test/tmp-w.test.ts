import { test } from 'node:test'
import { createInstallation } from './journeys/installation.ts'
import { call, eventually } from './journeys/merchant.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from '#/db/client.ts'
import { execSync } from 'node:child_process'
test('x', async () => {
  const inst = await createInstallation({ VINTEM_RECONCILE_SECONDS: '2' })
  await inst.start()
  const api = (m: string, p: string, b?: unknown) => call(inst.sandbox(), m, p, b)
  const payment = await api('POST', '/v1/payments', { amount: 100000, currency: 'BRL', paymentMethods: ['PIX'], idempotencyKey: 'money' })
  await api('POST', `/v1/sandbox/payments/${String(payment.body['id'])}/pay`, { scenario: 'exact' })
  await new Promise((r) => setTimeout(r, 2500))
  await Promise.all(['ana@example.com','ok@sim.pix','timeout@sim.pix','500then@sim.pix','429@sim.pix','lost@sim.pix','ac03@sim.pix','notfound@sim.pix','night@sim.pix','returned@sim.pix'].map((pixKey) => api('POST', '/v1/withdrawals', { type: 'PIX', amount: 100, currency: 'BRL', pixKey, pixKeyType: 'EMAIL' })))
  await new Promise((r) => setTimeout(r, 7000))
  console.log(readdirSync(inst.dataDir), readdirSync(inst.dataDir + '/keys'))
  const out = await inst.run('verify')
  console.log(out.output.split('\n').filter((l) => /belongs|withdrawals/.test(l)).join('\n'))
  const page = await api('GET', '/v1/withdrawals?limit=100')
  console.log((page.body['data'] as any[]).map((w) => [w.id, w.status, w.pixKey, w.version]))
  await inst.stop()
  await inst[Symbol.asyncDispose]()
})
