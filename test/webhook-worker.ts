// A worker in a process of its own, to be killed. Its options come in the environment; it prints when it has started.
import { connect } from '#/db/client.ts'
import { createLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { openEndpointSecret } from '#/webhooks/sign.ts'
import { loopbackPolicy } from './webhooks.ts'

const sealKey = Buffer.from(process.env.WEBHOOK_SEAL_KEY ?? '', 'hex')
const secret = Buffer.from(process.env.WEBHOOK_SECRET ?? '', 'hex')
const deliverer = createDeliverer({
  sql: connect(process.env.WEBHOOK_DATABASE ?? '', { max: 3 }),
  clock: systemClock,
  secretsOf: async () => [secret],
  policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
  log: createLog('error', { role: 'test', cell: 'a1' }),
  openSecret: (id, sealed) => openEndpointSecret(sealKey, id, sealed),
  pollMs: 20,
  leaseMs: 1_000,
  totalMs: 800,
})
process.send?.('started')
await deliverer.run(new AbortController().signal)
