import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import pino from 'pino'
import type { Core } from '#/app/core.ts'
import { readConfig } from '#/config.ts'
import type { Mode } from '#/kernel/mode.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { PayoutRequest } from '#/rails/payout-rail.ts'
import { routePayout } from '#/treasury/payout.ts'
import { startAnvil } from '../../test/anvil.ts'
import { asId } from '../../test/as-id.ts'
import { eventually } from '../../test/eventually.ts'
import { partly } from '../../test/partly.ts'
import { connectLiveChain } from './live-chain.ts'

const jsonType = { 'content-type': 'application/json' }

test('while the node does not answer CRYPTO is refused for now, and it is asked again soon; a node of another chain is refused for good', async () => {
  await using otherChain = await startAnvil()
  const warned: string[] = []
  let isAway = true
  const node = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const answer = await fetch(otherChain.url, { method: 'POST', headers: jsonType, body })
      response.writeHead(isAway ? 502 : answer.status, jsonType)
      response.end(isAway ? '' : await answer.text())
    })()
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  const connecting = new AbortController()
  try {
    const config = readConfig({
      VINTEM_BSC_RPC_URL: `http://127.0.0.1:${port}`,
      VINTEM_BSC_TREASURY: `0x${'7e'.repeat(20)}`,
    })
    const awaitedChains = new Set<Mode>()
    const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) })
    const core = partly<Core>({ config, log, chains: [], awaitedChains })
    connectLiveChain(core, connecting.signal, () => assert.fail('it is no node of BSC'))

    const isAwaited = (mode: Mode) => awaitedChains.has(mode)
    const rail = createCryptoRail(() => [], undefined, isAwaited)
    const codes = (mode: Mode) => {
      const payment = rail.route({ mode, merchantId: asId('m'), currency: 'USDT' })
      const payout = routePayout([], partly<PayoutRequest>({ mode, currency: 'USDT' }), isAwaited(mode))
      return [payment, payout].map((routing) => (routing.ok ? 'ok' : routing.code))
    }
    assert.deepEqual(codes('LIVE'), ['provider_unavailable', 'provider_unavailable'])
    assert.deepEqual(codes('SANDBOX'), ['method_not_available', 'method_not_available'])
    await eventually('it is asked again within seconds, not minutes', () => warned.length > 1, 30_000)
    assert.deepEqual(codes('LIVE'), ['provider_unavailable', 'provider_unavailable'])
    isAway = false
    await eventually('it answers, and is another chain', () => codes('LIVE')[0] === 'method_not_available')
  } finally {
    connecting.abort()
    node.closeAllConnections()
    node.close()
  }
})
