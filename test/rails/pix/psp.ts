// For tests: a PSP that answers as the test chooses, over mTLS, and a client that it accepts.
import { startTestProvider, type Call, type Reply } from '../provider.ts'
import pems from './certificates.json' with { type: 'json' }

/** A call, with its body as text. */
export type PspCall = Omit<Call, 'body'> & { readonly body: string }

export type TestPsp = {
  readonly url: string
  /** Calls that came, in order. */
  readonly calls: PspCall[]
  readonly ca: string
  stop(): Promise<void>
}

/** A PSP that answers as `reply` says; it issues tokens itself unless `reply` does. */
export async function startTestPsp(reply: (call: PspCall) => Reply | undefined): Promise<TestPsp> {
  const calls: PspCall[] = []
  const tls = { cert: pems.serverCert, key: pems.serverKey, ca: pems.ca, requestCert: true }
  const { url, stop } = await startTestProvider((heard) => {
    const call = { ...heard, body: heard.body.toString() }
    calls.push(call)
    const grant = { status: 200, body: { access_token: `token-${calls.length}`, expires_in: 3600 } }
    return reply(call) ?? (call.path === '/oauth/token' ? grant : { status: 404 })
  }, tls)
  return { url, calls, ca: pems.ca, stop }
}

/** The test authority's client, in both forms in which a connection may keep it. */
export const pemSecrets = {
  clientId: 'shop',
  clientSecret: 'hush:hush',
  certificate: pems.clientCert,
  privateKey: pems.clientKey,
}
export const p12Secrets = {
  clientId: 'shop',
  clientSecret: 'hush:hush',
  pfx: pems.pfx,
  passphrase: pems.passphrase,
}
