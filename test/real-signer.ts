// A signer as it really runs, a process of its own with files of its own, and clients of it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '#/kernel/check.ts'
import { sleep, systemClock } from '#/kernel/time.ts'
import { createSignerClient, readSignerToken, SignerError, type SignerClient } from '#/signer/client.ts'
import { importKey, type Keystore, type Purpose } from '#/signer/keys.ts'
import { signerFiles } from '#/signer/serve.ts'
import type { Address } from '#/signer/shape.ts'

export type SignerHome = Disposable & {
  readonly folder: string
  readonly files: ReturnType<typeof signerFiles>
  /** The private keys, for tests that search for them where they must not be. */
  readonly secrets: Readonly<Record<Purpose, Buffer>>
  readonly keys: Readonly<Record<Purpose, Address>>
  /** Everything the processes of this home have printed. */
  readonly output: () => string
  /** Starts a process and waits until it answers. */
  readonly start: () => Promise<RealSigner>
  /** Starts a process and waits for nothing. */
  readonly launch: () => RealSigner
  /** Access to the files of its keystore. */
  readonly store: Keystore
  readonly client: (options?: { token?: string; timeoutMs?: number }) => SignerClient
}

export type RealSigner = AsyncDisposable & {
  readonly process: ChildProcess
  readonly pid: number
  /** SIGKILL, and waits until it is gone. */
  readonly kill: () => Promise<void>
  /** The exit code; null when a signal ended it. */
  readonly gone: Promise<number | null>
}

/** Makes a folder with keys and a policy. `policyOf` gets the addresses of the keys. */
export function makeSignerHome(policyOf: (keys: SignerHome['keys']) => unknown): SignerHome {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-signer-'))
  const files = signerFiles(folder)
  const passphrase = Buffer.from('a passphrase for tests')
  const privately = { mode: 0o600 }
  writeFileSync(files.passphraseFile, `${String(passphrase)}\n`, privately)
  const store = { folder: files.keys, passphrase, scryptN: 1_024 }
  const secrets = { hot: keyLike(0x11), treasury: keyLike(0x22), gas: keyLike(0x33) }
  const importOne = (purpose: Purpose) => importKey(store, purpose, secrets[purpose], systemClock).address
  const keys = { hot: importOne('hot'), treasury: importOne('treasury'), gas: importOne('gas') }
  writeFileSync(files.policyFile, JSON.stringify(policyOf(keys)), privately)
  mkdirSync(join(folder, 'out'))
  const printed = join(folder, 'out', 'printed')
  const launch = () => launchSigner(folder, printed)
  const client: SignerHome['client'] = ({
    token = readSignerToken(files.tokenFile),
    timeoutMs = 10_000,
  } = {}) => createSignerClient({ socketPath: files.socketPath, token, timeoutMs })
  return {
    folder,
    files,
    secrets,
    keys,
    output: () => readFileSync(printed, 'utf8'),
    launch,
    store,
    async start() {
      const signer = launch()
      await answers(signer, client)
      return signer
    },
    client,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Waits until the signer answers; rejects when it ends before. */
export async function answers(signer: RealSigner, client: SignerHome['client']): Promise<void> {
  let code: number | null | undefined
  void signer.gone.then((ended) => (code = ended))
  while (!(await isReady(client))) {
    if (code !== undefined) throw new Error(`the signer ended with ${code}`)
    await sleep(10)
  }
}

async function isReady(client: SignerHome['client']): Promise<boolean> {
  try {
    const asker = client()
    await asker.addresses()
    asker.close()
    return true
  } catch (error) {
    if (error instanceof SignerError && error.outcome !== 'unavailable') throw error
    return false
  }
}

/** Bytes that are easily found wherever they are. */
function keyLike(byte: number): Buffer {
  return Buffer.from(Array.from({ length: 32 }, (_, index) => (byte + 7 * index) % 256))
}

/** Shared by all starts, so that only the first one compiles; it stores the result at once, because it may be killed. */
const compiled = mkdtempSync(join(tmpdir(), 'vintem-compiled-'))
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))

function launchSigner(folder: string, printed: string): RealSigner {
  const script = `
    import { flushCompileCache } from 'node:module'
    import { runSigner, signerFiles } from ${moduleUrl('../src/signer/serve.ts')}
    import { createLog } from ${moduleUrl('../src/kernel/log.ts')}
    import { systemClock } from ${moduleUrl('../src/kernel/time.ts')}
    flushCompileCache()
    const folder = ${JSON.stringify(folder)}
    const log = createLog('debug', { role: 'signer', cell: 'a1' })
    await runSigner({ folder, ...signerFiles(folder), clock: systemClock, log, parent: process.stdin })
      .catch((error) => { log.fatal({ error: error.message, remedy: error.remedy }, 'did not run'); process.exitCode = 1 })`
  const file = openSync(printed, 'a', 0o600)
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', file, file],
    env: { LC_ALL: 'C', NODE_COMPILE_CACHE: compiled },
  })
  closeSync(file)
  // The signer ends when this pipe closes, also when the process of the test is killed.
  child.stdin?.on('error', () => {})
  const gone = once(child, 'exit').then(([code]) => code as number | null)
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  void gone.then(() => process.off('exit', end))
  const kill = async () => {
    end()
    await gone
  }
  return { process: child, pid: must(child.pid, 'it was started'), kill, gone, [Symbol.asyncDispose]: kill }
}

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}
