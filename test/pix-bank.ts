// The bank simulator for tests: a process of its own on free ports, which can be killed and come back where it was.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Json = Readonly<Record<string, unknown>>

/** A Pix that the bank made. */
export type BankPix = {
  readonly endToEndId: string
  readonly txid?: string
  readonly valor: string
  readonly horario: string
}

/** A charge as the bank shows it to people. */
export type BankCharge = {
  readonly txid: string
  readonly status: string
  readonly revisao: number
  readonly valor: { readonly original: string }
  readonly pix?: readonly (BankPix & { readonly devolucoes?: readonly Json[] })[]
}

export type PixBank = AsyncDisposable & {
  readonly apiUrl: string
  readonly controlUrl: string
  /** A call of the control port. Rejects with what the bank said when it refuses. */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Json): Promise<Json>
  /** A new customer, as a connection keeps it: one application takes money in, the other gives it back. */
  customer(more?: Json): Promise<BankCustomer>
  pay(txid: string, more?: Json): Promise<readonly BankPix[]>
  /** The charges with this txid; without one, the last ones. */
  charges(txid?: string): Promise<readonly BankCharge[]>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Again, on the same ports. */
  start(): Promise<void>
}

export type BankCustomer = {
  readonly settings: Json & { readonly pixKey: string; readonly ca: string }
  readonly secrets: BankSecrets
  readonly refundSecrets: BankSecrets
}

export type BankSecrets = {
  readonly clientId: string
  readonly clientSecret: string
  readonly certificate: string
  readonly privateKey: string
}

const program = new URL('../simulators/pix-bank/main.ts', import.meta.url).pathname

/** Starts a bank. Its own waits are 50 times as short; amounts have no magic unless told. */
export async function startPixBank(options: readonly string[] = ['--no-magic']): Promise<PixBank> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vintem-bank-'))
  let urls: { readonly apiUrl: string; readonly controlUrl: string } | undefined
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const ports = [portOf(urls?.apiUrl), portOf(urls?.controlUrl)]
    const places = ['--port', ports[0] ?? '0', '--control-port', ports[1] ?? '0', '--data-dir', dataDir]
    const started = spawn(
      process.execPath,
      [program, ...places, '--speed', '50', '--die-with-parent', ...options],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    child = started
    const ended = once(started, 'exit').then(() => Promise.reject(new Error('the bank does not start')))
    const [line] = (await Promise.race([
      once(createInterface({ input: started.stdout }), 'line'),
      ended,
    ])) as [string]
    ended.catch(() => {})
    urls = JSON.parse(line) as { apiUrl: string; controlUrl: string }
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = once(ending, 'exit')
    ending.kill(signal)
    await gone
  }

  await start()
  const { apiUrl, controlUrl } = urls ?? { apiUrl: '', controlUrl: '' }
  return {
    apiUrl,
    controlUrl,
    ...callsOf({ apiUrl, controlUrl }),
    kill: () => end('SIGKILL'),
    start,
    async [Symbol.asyncDispose]() {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** What can be asked of any bank by its addresses, also of one that an installation started. */
export function callsOf({ apiUrl, controlUrl }: { readonly apiUrl: string; readonly controlUrl: string }) {
  const control: PixBank['control'] = async (method, path, body) => {
    const answer = await fetch(`${controlUrl}/_sim${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }
  return {
    control,
    async customer(more: Json = {}): Promise<BankCustomer> {
      const { ca, pixKey, receiver, ...secrets } = await control('POST', '/applications', more)
      const {
        ca: _ca,
        pixKey: _key,
        receiver: _shown,
        ...refundSecrets
      } = await control('POST', '/applications', {
        ...more,
        pixKey,
      })
      const { name, city } = receiver as { name: string; city: string }
      return {
        settings: {
          baseUrl: `${apiUrl}/v2`,
          tokenUrl: `${apiUrl}/oauth/token`,
          pixKey: String(pixKey),
          ca: String(ca),
          receiverName: name,
          receiverCity: city,
        },
        secrets: secrets as BankSecrets,
        refundSecrets: refundSecrets as BankSecrets,
      }
    },
    async pay(txid: string, more: Json = {}): Promise<readonly BankPix[]> {
      const { pix } = await control('POST', '/pay', { txid, ...more })
      return pix as readonly BankPix[]
    },
    async charges(txid?: string): Promise<readonly BankCharge[]> {
      const query = txid === undefined ? 'limit=10000' : `txid=${txid}`
      const { charges } = await control('GET', `/charges?${query}`)
      return charges as readonly BankCharge[]
    },
  }
}

function portOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).port
}
