import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import tls from 'node:tls'
import { openAuthority } from '../../simulators/pix-bank/certificates.ts'
import { createSender } from './send.ts'

test('over https a certificate counts only when it is trusted and names the host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-authority-'))
  const authority = openAuthority(folder)
  const { certificate, privateKey } = authority.server(['localhost'])
  let calls = 0
  const server = createServer({ cert: certificate, key: privateKey }, (_request, response) => {
    calls += 1
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
  const send = async (host: string) => {
    const sender = createSender({ policy: { allowHttp: false, allowLoopback: true } })
    const answer = await sender.send({ url: `https://${host}:${port}/`, headers, body: Buffer.from('{}') })
    sender.close()
    return answer
  }
  const trusted = tls.getCACertificates('default')
  try {
    assert.partialDeepStrictEqual(await send('localhost'), { error: 'tls_failed' })
    tls.setDefaultCACertificates([...trusted, authority.ca])
    assert.partialDeepStrictEqual(await send('localhost'), { responseStatus: 200 })
    assert.partialDeepStrictEqual(await send('127.0.0.1'), { error: 'tls_failed' })
    assert.equal(calls, 1)
  } finally {
    tls.setDefaultCACertificates(trusted)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  }
})
