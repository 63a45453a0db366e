// For tests: the sandbox's wallet app as a process of its own, and its provider's answers.
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '#/kernel/check.ts'
import { systemClock } from '#/kernel/time.ts'
import { startProgram, type Json, type Program } from '../../../simulators/kit/harness.ts'
import type { Reply } from '../provider.ts'

export type TestWallet = {
  readonly apiUrl: string
  /** A control call. Returns its answer, parsed. */
  readonly control: Program['control']
  /** A merchant's access, as a connection keeps it: one key collects money, the other refunds it. */
  merchant(webhookUrl?: string): Promise<{
    readonly settings: Json
    readonly secrets: { readonly apiKey: string; readonly apiSecret: string }
    readonly refundSecrets: { readonly apiKey: string; readonly apiSecret: string }
  }>
  /** SIGKILL, and then again at the same address. Resolves when it is ready. */
  restart(): Promise<void>
  /** Headers that sign `body` as the app does now: by its own key, or by a stranger's under the same serial number. */
  signed(body: string, by: 'app' | 'stranger'): Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Its own waiting times are divided by 50. */
export async function startTestWallet(): Promise<TestWallet> {
  const program = await startProgram('partner-wallet', { args: ['--speed', '50'] })
  const { apiUrl, control } = program
  const keyOf = async (terms: Json) => {
    const made = await control('POST', '/merchants', terms)
    return { apiKey: String(made['apiKey']), apiSecret: String(made['apiSecret']) }
  }
  return {
    apiUrl,
    control,
    async merchant(webhookUrl) {
      const secrets = await keyOf({ name: 'Loja', permissions: ['orders'] })
      const refundSecrets = await keyOf({ name: 'Loja', of: secrets.apiKey, permissions: ['refunds'] })
      if (webhookUrl !== undefined)
        await control('POST', `/merchants/${secrets.apiKey}/webhook`, { url: webhookUrl })
      return { settings: { apiUrl }, secrets, refundSecrets }
    },
    async restart() {
      await program.kill('SIGKILL')
      await program.start()
    },
    signed: (body, by) => signedBy(program.dataDir, body, by),
    stop: async () => await program[Symbol.asyncDispose](),
  }
}

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

function signedBy(dataDir: string, body: string, by: 'app' | 'stranger') {
  const folder = join(dataDir, 'certificates')
  const newest = readdirSync(folder)
    .filter((name) => /^\d{6}\.pem$/.test(name))
    .toSorted()
    .at(-1)
  const ownKey = createPrivateKey(readFileSync(join(folder, must(newest, 'the app has a key'))))
  const served = createPublicKey(ownKey).export({ type: 'spki', format: 'pem' }).trim()
  const [timestamp, nonce] = [String(systemClock.now().getTime()), 'N'.repeat(32)]
  const content = Buffer.from(`${timestamp}\n${nonce}\n${body}\n`)
  return {
    'content-type': 'application/json',
    'binancepay-timestamp': timestamp,
    'binancepay-nonce': nonce,
    'binancepay-certificate-sn': hash('md5', served, 'hex'),
    'binancepay-signature': sign('sha256', content, by === 'app' ? ownKey : stranger).toString('base64'),
  }
}

/** An answer of the provider with this data. */
export const success = (data: unknown): Reply => ({
  status: 200,
  body: { status: 'SUCCESS', code: '000000', data },
})

/** A refusal of the provider. */
export const failure = (code: string, status = 400): Reply => ({
  status,
  body: { status: 'FAIL', code, errorMessage: `refused with ${code}` },
})
