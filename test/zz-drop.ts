import { openWebhooks } from './webhooks.ts'
import { startReceiver } from './receiver.ts'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { createHook, executionAsyncId } from 'node:async_hooks'
const stacks = new WeakMap<object, string>()
Error.stackTraceLimit = 40
createHook({ init(id, type, trigger, resource) { if (type === 'PROMISE') stacks.set(resource, new Error().stack!) } }).enable()
process.on('unhandledRejection', (e, p) => console.log('UNHANDLED', e, '\n--created', stacks.get(p)))
process.on('uncaughtException', (e) => console.log('UNCAUGHT', e))
{
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const merchantId = newId<'merchant'>()
  const sql = connect(world.appUrl, { max: 4, applicationName: 'dropped' })
  {
    await using _worker = world.work({ sql, leaseMs: 0 })
    for (let i = 0; i < 25; i += 1) {
      await world.tell(merchantId, receiver.origin, 20)
      await receiver.until(({ length }) => length > i * 20)
      await world.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dropped'`
    }
  }
  await sql.end()
}
