// The reason why a simulator refuses a call reaches the caller, from any field of a problem.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startTestBank } from '../../simulators/pix-bank/harness.ts'
import { controlOf } from './control-call.ts'

test('a refusal of the sandbox’s bank says why', async () => {
  await using bank = await startTestBank()
  const control = controlOf('bank', bank.controlUrl)
  await assert.rejects(control('POST', '/_sim/pay', { txid: 'f'.repeat(32) }), {
    code: 'invalid_state',
    message: 'The sandbox bank refuses: No charge has this txid.',
  })
})

test('details go before titles, and an answer without either is reported by its status', async () => {
  const answers = [{ title: 'No', detail: 'It is over.' }, { title: 'No' }, {}, 'no']
  const server = createServer((_request, response) => {
    response.writeHead(409, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify(answers.shift()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const control = controlOf('bank', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const words of ['It is over', 'No', 'it answered 409', 'it answered 409'])
    await assert.rejects(control('POST', '/'), { message: `The sandbox bank refuses: ${words}.` })
  server.close()
})
