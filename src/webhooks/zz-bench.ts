// throughput: N events of one merchant to one receiver on 127.0.0.1, then with 50 endpoints
import http from 'node:http'
import { fork } from 'node:child_process'
import { testDatabase } from '/tmp/whshim/pg.ts'
import { connect } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { announce } from '#/webhooks/announce.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { newId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { createLog } from '#/kernel/log.ts'
const receivers = Number(process.argv[2] ?? 1),
  N = Number(process.argv[3] ?? 20000),
  cap = Number(process.argv[4] ?? 32)
await using db = await testDatabase()
await migrate(db.ownerUrl, { appRole: 'app' })
const sql = connect(db.appUrl, { max: 6 })
const child = fork('/tmp/whshim/receiver.mjs', [String(receivers)])
const ports: number[] = await new Promise((r) => child.once('message', (m) => r(m as number[])))
const merchants = Array.from({ length: receivers }, () => newId<'merchant'>())
const data = {
  id: newId(),
  status: 'PAID',
  amount: 1234n,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  metadata: { orderId: 'A-1' },
  pad: 'x'.repeat(400),
}
let batch = 0n,
  t0 = performance.now()
for (let i = 0; i < N; i += 500) {
  batch += 1n
  await sql.begin((tx) =>
    announce(
      tx,
      Array.from({ length: 500 }, (_, k) => ({
        merchantId: merchants[(i + k) % receivers]!,
        mode: 'SANDBOX' as const,
        type: 'payment.completed' as const,
        resourceId: data.id,
        data,
        webhookUrl: `http://127.0.0.1:${ports[(i + k) % receivers]}/hook`,
      })),
      { batch, at: new Date() },
    ),
  )
}
let ms = performance.now() - t0
console.log(
  `announce: ${N} events in ${ms | 0} ms = ${((N / ms) * 1000) | 0}/s, ${(ms / (N / 500)).toFixed(1)} ms per batch of 500`,
)
const policy = { allowHttp: true, allowLoopback: true }
const secret = Buffer.alloc(24, 7)
const deliverer = createDeliverer({
  sql,
  secretsOf: async () => [secret],
  policy: { LIVE: policy, SANDBOX: policy },
  clock: systemClock,
  log: createLog('warn'),
  concurrency: { endpoint: cap },
})
const stop = new AbortController()
t0 = performance.now()
const cpu0 = process.cpuUsage()
const run = deliverer.run(stop.signal)
for (;;) {
  const [row] = await sql`select count(*)::int as n from delivery where status = 'DELIVERED'`
  if (row!.n === N) break
  await new Promise((r) => setTimeout(r, 100))
}
ms = performance.now() - t0
const cpu = process.cpuUsage(cpu0)
console.log(
  `deliver: ${N} in ${ms | 0} ms = ${((N / ms) * 1000) | 0}/s  cpu ${(((cpu.user + cpu.system) / 1000 / ms) * 100) | 0}%`,
)
{ const st = (globalThis as any).st; console.log("claims", st.n, "rows", (st.rows / st.n).toFixed(1), "asked", (st.asked/st.n).toFixed(1), "ms", (st.ms / st.n).toFixed(2), "claiming", (st.ms/ms*100|0)+"%") }
stop.abort()
await run
child.kill()
await sql.end()
