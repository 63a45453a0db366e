// Payment locations: what a payer's app reads behind a QR code, signed (JWS, RS256). Any caller may read them.
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import type { Reply, Route } from '../kit/http.ts'
import type { Bank } from './bank.ts'
import { payloadOf } from './charges.ts'
import { problem } from './problem.ts'

export function locationRoutes(bank: Bank): readonly Route[] {
  let signer: Signer | undefined
  const signerOf = () => (signer ??= createSigner(bank))
  return [
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      handle: () => ({ status: 200, body: { keys: [signerOf().jwk] } }),
    },
    {
      method: 'GET',
      path: '/qr/:token',
      handle: ({ params }): Reply => {
        const charge = bank.eventStore.state.byToken.get(params['token'] ?? '')
        if (charge === undefined) throw gone(404)
        // An expired charge is shown all the same: the payer's app reads its expiry, and refuses.
        if (charge.status !== 'ATIVA') throw gone(410)
        return { status: 200, type: 'application/jose', body: signerOf().sign(payloadOf(charge)) }
      },
    },
  ]
}

type Signer = { readonly jwk: Readonly<Record<string, unknown>>; sign(payload: unknown): string }

function createSigner(bank: Bank): Signer {
  const identity = bank.authority.signer()
  const certificate = new X509Certificate(identity.certificate)
  const key = createPrivateKey(identity.privateKey)
  const x5t = createHash('sha1').update(certificate.raw).digest('base64url')
  const kid = createHash('sha256').update(certificate.raw).digest('hex').slice(0, 16)
  const jku = `https://${bank.options.locationHost}/.well-known/jwks.json`
  const header = encode({ alg: 'RS256', typ: 'JWS', kid, jku, x5t })
  const x5c = [certificate.raw.toString('base64')]
  return {
    jwk: { ...certificate.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid, x5t, x5c },
    sign: (payload) => {
      const signed = `${header}.${encode(payload)}`
      return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
    },
  }
}

function gone(status: 404 | 410) {
  return problem('CobPayloadNaoEncontrado', 'A cobrança não foi encontrada para a location requisitada.', {
    status,
  })
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
