import { testDatabase } from '/tmp/whshim/pg.ts'
import { connect } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { announce } from '#/webhooks/announce.ts'
import { newId } from '#/kernel/id.ts'
await using db = await testDatabase()
await migrate(db.ownerUrl, { appRole: 'app' })
const sql = connect(db.appUrl, { max: 1 })
const merchants = Array.from({ length: Number(process.argv[2] ?? 1) }, () => newId<'merchant'>())
const data = {
  id: newId(),
  status: 'PAID',
  amount: 1234n,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  metadata: { orderId: 'A-1' },
  pad: 'x'.repeat(400),
}
let batch = 0n
for (let i = 0; i < 30; i += 1) {
  batch += 1n
  const t: number[] = [performance.now()]
  await sql.begin(async (tx) => {
    t.push(performance.now())
    const p = announce(
      tx,
      Array.from({ length: 500 }, (_, k) => ({
        merchantId: merchants[k % merchants.length]!,
        mode: 'SANDBOX' as const,
        type: 'payment.completed' as const,
        resourceId: data.id,
        data,
        ...(process.argv[3] === 'nourl' ? {} : { webhookUrl: `http://127.0.0.1:1234/hook` }),
      })),
      { batch, at: new Date() },
    )
    await p
    t.push(performance.now())
  })
  t.push(performance.now())
  if (i % 5 === 4)
    console.log(
      'begin',
      (t[1]! - t[0]!).toFixed(1),
      'announce',
      (t[2]! - t[1]!).toFixed(1),
      'commit',
      (t[3]! - t[2]!).toFixed(1),
    )
}
await sql.end()
