// The trace of the call that makes a payment, kept on it: what follows carries it, whenever it happens and whoever does it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentContext, inContext } from '#/kernel/context.ts'
import { silentLog } from '#/kernel/log.ts'
import { createDeliverer } from '#/webhooks/deliver.ts'
import { openCardWorld } from '../../test/card-world.ts'
import { startReceiver } from '../../test/receiver.ts'
import { loopbackPolicy } from '../../test/webhooks.ts'
import { checkDue } from './check.ts'

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('checks at the provider and webhooks of a payment carry the trace of the call that made it', async () => {
  await using world = await openCardWorld()
  await using receiver = await startReceiver()
  const { sql, clock } = world.line
  const webhookUrl = `${receiver.origin}/hook`
  const traced = await inContext({ trace }, () => world.create({ webhookUrl }))
  const plain = await world.create({ webhookUrl })
  const traces: (string | undefined)[] = []
  world.provider.check = () => {
    traces.push(currentContext().trace)
    return { receipts: [], isOver: false }
  }
  for (const { payment } of [traced, plain]) await world.openPage(payment)
  await world.line.owner`update attempt_check set due_at = clock_timestamp() - interval '1 s'`
  const settle = async () => assert.fail('nothing is reported')
  await checkDue({ sql, rails: world.rails, log: silentLog, settle })
  assert.deepEqual(new Set(traces), new Set([trace, undefined]))

  for (const { attempt } of [traced, plain])
    await world.settle(world.receipt(attempt, 'paid', `paid ${attempt.id}`))
  const stopping = new AbortController()
  const deliverer = createDeliverer({
    sql,
    clock,
    log: silentLog,
    secretsOf: async () => [Buffer.alloc(32, 1)],
    openSecret: () => Buffer.alloc(32, 1),
    policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
    pollMs: 20,
  })
  const running = deliverer.run(stopping.signal)
  const about = ({ body }: { readonly body: Buffer }) =>
    (JSON.parse(body.toString()) as { data: { id: string } }).data.id
  const ids = [traced, plain].map(({ payment }) => payment.id)
  await receiver.until((calls) => ids.every((id) => calls.some((call) => about(call) === id)))
  stopping.abort()
  await running
  const carried = (id: string) =>
    new Set(receiver.calls.filter((call) => about(call) === id).map(({ headers }) => headers['traceparent']))
  assert.deepEqual(ids.map(carried), [new Set([trace]), new Set([undefined])])
})
