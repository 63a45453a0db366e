// A wait that is longer than the time in which every other request is answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiWorld } from './world.ts'

test('a request may wait for events as long as it says', async () => {
  const world = await openApiWorld()
  try {
    const api = await world.openApi()
    const { key } = await world.openTenant()
    const answer = await api.ask('GET', '/v1/events?wait=20', { key })
    assert.deepEqual([answer.status, answer.body], [200, { data: [], readTo: 0 }])
  } finally {
    await world.close()
  }
})
