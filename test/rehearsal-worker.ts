// A worker of rehearsals in a process of its own, to be killed. Its database and its secret come in the environment.
import { connect } from '#/db/client.ts'
import { createLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { createRehearser } from '#/rehearsals/run.ts'

const rehearser = createRehearser({
  sql: connect(process.env.REHEARSAL_DATABASE ?? '', { max: 2 }),
  clock: systemClock,
  log: createLog('error', { role: 'test', cell: 'a1' }),
  secretsOf: async () => [Buffer.from(process.env.REHEARSAL_SECRET ?? '', 'hex')],
  sending: { policy: { allowHttp: true, allowLoopback: true } },
})
await rehearser.run(new AbortController().signal)
