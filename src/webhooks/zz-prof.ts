import { toJson } from '#/kernel/json.ts'
import { newId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { randomUUIDv7, createHash, hash } from 'node:crypto'
const data = {
  id: newId(),
  status: 'PAID',
  amount: 1234n,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  metadata: { orderId: 'A-1' },
  pad: 'x'.repeat(400),
  a: 1,
  b: 2,
  c: 'x',
  d: 'y',
  e: 'z',
  f: '2026-11-21T02:03:04.567Z',
}
const t = (name: string, f: () => unknown) => {
  for (let i = 0; i < 200; i++) f()
  const t0 = performance.now()
  for (let i = 0; i < 5000; i++) f()
  console.log(name, ((performance.now() - t0) / 5).toFixed(2), 'us')
}
const body = toJson({ id: newId(), data })
t('toJson', () => toJson({ id: 'x', type: 'p', data }))
t('JSON.stringify(number)', () => JSON.stringify({ id: 'x', type: 'p', data: { ...data, amount: 1234 } }))
t('newId', () => newId())
t('sha256', () => sha256(body))
t('hash()', () => hash('sha256', body, 'buffer'))
t('escape', () => body.replace(/\\/g, '\\\\').replace(/"/g, '\\"'))
t('URL.parse', () => URL.parse('http://127.0.0.1:1234/hook')?.origin)
