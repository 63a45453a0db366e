// A wait that is longer than the time in which every other request is answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite } from './site.ts'

test('a request may wait for events as long as it says', async () => {
  const site = await openSite()
  try {
    const api = await site.openApi()
    const { key } = await site.openTenant()
    const answer = await api.ask('GET', '/v1/events?wait=20', { key })
    assert.deepEqual([answer.status, answer.body], [200, { data: [], readTo: 0 }])
  } finally {
    await site.close()
  }
})
