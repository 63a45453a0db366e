import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { silentLog } from '#/kernel/log.ts'
import { eventually } from '../../test/eventually.ts'
import { createDrain } from './drain.ts'
import { edgeOptions, setUpEdge } from './server.ts'

test('a process that leaves serves on, then sends callers away by its answers, and ends when every request is answered', async () => {
  const drain = createDrain()
  const server = Fastify(edgeOptions())
  setUpEdge(server, { name: 'api', log: silentLog, drain })
  const release = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  server.get('/quick', async () => 'quick')
  server.get('/slow', async () => {
    started.resolve()
    await release.promise
    return 'slow'
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const quick = async () => {
    const answer = await fetch(`${url}/quick`)
    await answer.text()
    return [answer.status, answer.headers.get('connection')]
  }

  assert.equal(drain.isDraining(), false)
  assert.deepEqual(await quick(), [200, 'keep-alive'])
  const slow = fetch(`${url}/slow`)
  await started.promise
  const left = drain.run(1)
  assert.equal(drain.isDraining(), true)
  assert.deepEqual(await quick(), [200, 'keep-alive'])
  await eventually('answers end their connections', async () => {
    const answer = await quick().catch(() => [])
    return answer[1] === 'close' && answer[0] === 200
  })
  await eventually('no connection is accepted', () =>
    fetch(`${url}/quick`).then(
      async (answer) => void (await answer.text()),
      () => true,
    ),
  )
  release.resolve()
  assert.equal(await (await slow).text(), 'slow')
  await left
  // The closer of the process closes it too.
  await server.close()
})

test('one server that does not end well keeps no other from ending, and is reported', async () => {
  const drain = createDrain()
  let hasEnded = false
  drain.add({ close: () => Promise.reject(new Error('it is stuck')) })
  drain.add({
    close: async () => {
      hasEnded = true
    },
  })
  await assert.rejects(drain.run(0), /it is stuck/)
  assert.equal(hasEnded, true)
})
