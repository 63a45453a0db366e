import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import tls from 'node:tls'
import { createSender } from './send.ts'

test('over https a certificate counts only when it is trusted and names the host', async () => {
  const { certificate, key } = selfSigned('localhost')
  let calls = 0
  const server = createServer({ cert: certificate, key }, (_request, response) => {
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
    tls.setDefaultCACertificates([...trusted, certificate])
    assert.partialDeepStrictEqual(await send('localhost'), { responseStatus: 200 })
    assert.partialDeepStrictEqual(await send('127.0.0.1'), { error: 'tls_failed' })
    assert.equal(calls, 1)
  } finally {
    tls.setDefaultCACertificates(trusted)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A certificate of its own authority for one name, valid in this century (RFC 5280 §4.1, written in DER). */
function selfSigned(host: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(host)))))
  const validity = sequence(
    der(0x17, Buffer.from('200101000000Z')),
    der(0x18, Buffer.from('20991231235959Z')),
  )
  const names = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(host)))))
  const authority = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.of(0xff)))))
  const serial = createHash('sha256').update(host).digest().subarray(0, 8)
  serial[0] = 1
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names, authority)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', content, privateKey)]))
  const base64 = sequence(content, algorithm, signature).toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** Tag, length, content (X.690 §8.1). */
function der(tag: number, content: Buffer): Buffer {
  const length =
    content.length < 128
      ? Buffer.of(content.length)
      : Buffer.of(0x82, content.length >> 8, content.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, content])
}
