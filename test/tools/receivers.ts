// The receivers of webhooks that docs/webhooks.md shows, in Node, Python and Go, with the official libraries of Standard Webhooks as their
// registries have them. Each receiver gets deliveries of a sandbox, and then webhooks that it must accept or refuse.
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shownReceiver, startReceiver, tryReceiver, type Receiver } from '../docs/receivers.ts'
import { freePort } from '../ports.ts'
import { findMissing, run } from './clients/tool.ts'

type Sandbox = { readonly apiUrl: string; readonly apiKey: string; readonly webhookSecret: string }

type Language = {
  readonly name: string
  readonly programs: readonly (readonly string[])[]
  /** The program of the page. */
  readonly file: string
  /** Fetches the library, and makes what is started. */
  prepare(folder: string): Promise<void>
  command(folder: string): readonly string[]
}

const goModule = `module receiver

go 1.25.0

require github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
`
const goEnv = { GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod' }

const languages: readonly Language[] = [
  {
    name: 'Node',
    programs: [['node', '--version']],
    file: 'receiver.mjs',
    async prepare(folder) {
      await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
      const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
      await run(['npm', 'install', 'standardwebhooks@1.1.1', ...options], { cwd: folder })
    },
    command: () => [process.execPath, 'receiver.mjs'],
  },
  {
    name: 'Python',
    programs: [['python3', '--version']],
    file: 'receiver.py',
    async prepare(folder) {
      await run(['python3', '-m', 'venv', '--clear', 'venv'], { cwd: folder })
      await run([join(folder, 'venv', 'bin', 'pip'), 'install', '--quiet', 'standardwebhooks==1.1.0'], {
        cwd: folder,
      })
    },
    command: (folder) => [join(folder, 'venv', 'bin', 'python'), 'receiver.py'],
  },
  {
    name: 'Go',
    programs: [['go', 'version']],
    file: 'receiver.go',
    async prepare(folder) {
      await writeFile(join(folder, 'go.mod'), goModule)
      await run(['go', 'vet', './...'], { cwd: folder, env: goEnv })
      await run(['go', 'build', '-o', 'receiver', '.'], { cwd: folder, env: goEnv })
    },
    command: (folder) => [join(folder, 'receiver')],
  },
]

/** One for each language. `run` throws when the receiver does not do what the page says. */
export const receivers = languages.map((language) => ({
  name: language.name,
  async run(place: string, sandbox: Sandbox): Promise<void> {
    const missing = await findMissing(language)
    if (missing !== undefined) throw new Error(missing)
    const cwd = join(place, language.name.toLowerCase())
    await mkdir(cwd, { recursive: true })
    await writeFile(join(cwd, language.file), await shownReceiver(language.file))
    await language.prepare(cwd)
    const port = await freePort()
    const secret = sandbox.webhookSecret
    await using receiver = await startReceiver(language.command(cwd), { cwd, secret, port })
    await deliver(receiver, sandbox)
    await tryReceiver(receiver, secret)
  },
}))

/** A payment is paid in the sandbox. The receiver prints its event, and its answer is listed as a delivery that arrived. */
async function deliver({ url, lines }: Receiver, { apiUrl, apiKey }: Sandbox): Promise<void> {
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${apiUrl}${path}`, {
      headers: { apikey: apiKey, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { id } = await call<{ readonly id: string }>('/v1/payments', {
    amount: 4990,
    paymentMethods: ['PIX'],
    idempotencyKey: randomUUID(),
    webhookUrl: url,
  })
  await call(`/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
  while (!lines().includes(`payment.completed ${id} PAID`))
    await new Promise((resolve) => setTimeout(resolve, 100))
  const hasArrived = async () => {
    const { data } = await call<{ readonly data: readonly { readonly status: string }[] }>(
      `/v1/deliveries?subject=${id}`,
    )
    return data.length > 0 && data.every(({ status }) => status === 'DELIVERED')
  }
  while (!(await hasArrived())) await new Promise((resolve) => setTimeout(resolve, 100))
}
