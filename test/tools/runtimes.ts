// The packed SDK on the runtimes that its README names: `npm run test:tools runtimes`. Each runs the same program, which creates a payment at a
// running sandbox, verifies its webhook, and reads lists page by page: once as an ES module, and once by `require`. The runtimes come from the npm packages that contain the program
// itself. The usual packages link the program by an install script, and install scripts do not run here.
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstallation } from '../journeys/installation.ts'
import { installPackedSdk } from '../journeys/packed-sdk.ts'
import { run } from './clients/tool.ts'

type Runtime = {
  readonly name: string
  /** The package of this platform with its version; undefined where there is none. */
  readonly package: string | undefined
  readonly program: string
  /** What comes before the file. */
  readonly args: readonly string[]
}

const platform = `${process.platform}-${process.arch}`
const bun: Readonly<Record<string, string>> = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
}
const deno: Readonly<Record<string, string>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
}

/** The lowest Node of the SDK's `engines`, the last of that line, and the others. */
const runtimes: readonly Runtime[] = [
  { name: 'Node 20.3.0', package: `node-${platform}@20.3.0`, program: 'bin/node', args: [] },
  { name: 'Node 20.20.2', package: `node-${platform}@20.20.2`, program: 'bin/node', args: [] },
  { name: 'Bun 1.4.5', package: versioned(bun[platform], '1.4.5'), program: 'bin/bun', args: ['run'] },
  {
    name: 'Deno 2.9.6',
    package: versioned(deno[platform], '2.9.6'),
    program: 'deno',
    args: ['run', '--no-prompt', '--allow-net', '--allow-env'],
  },
]

/** Prints a line for each runtime. Returns what failed. `place` keeps the downloads. */
export async function tryRuntimes(place: string): Promise<readonly string[]> {
  // Outside of the repository, whose packages would be found from a folder inside it.
  const shop = await mkdtemp(join(tmpdir(), 'vintem-runtimes-'))
  try {
    await installPackedSdk(shop)
    const program = await readFile(join(import.meta.dirname, 'clients', 'journeys', 'sdk.mjs.txt'), 'utf8')
    await writeFile(join(shop, 'program.mjs'), program)
    await writeFile(join(shop, 'program.cjs'), asCommonJs(program))
    await using installation = await createInstallation()
    await installation.start()
    await using hook = await openHook()
    const { apiUrl, apiKey, webhookSecret } = installation.sandbox()
    const failed: string[] = []
    for (const runtime of runtimes) {
      const startedAt = performance.now()
      const env = {
        VINTEM_API_URL: apiUrl,
        VINTEM_API_KEY: apiKey,
        VINTEM_WEBHOOK_SECRET: webhookSecret,
        HOOK: hook.url,
      }
      const fault = await tryOn(runtime, { place, shop, env }).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      )
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)
      console.log(`${fault === undefined ? '✔' : '✖'} SDK ${seconds} s  ${runtime.name}`)
      if (fault !== undefined) failed.push(`${runtime.name}: ${fault}`)
    }
    return failed
  } finally {
    await rm(shop, { recursive: true, force: true })
  }
}

type Where = { readonly place: string; readonly shop: string; readonly env: Readonly<Record<string, string>> }

/** Installs the runtime and runs the program on it. Returns what is wrong. */
async function tryOn(
  { name, package: spec, program, args }: Runtime,
  { place, shop, env }: Where,
): Promise<string | undefined> {
  if (spec === undefined) return `there is no package of it for ${platform}`
  const folder = join(place, name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-'))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', spec], {
    cwd: folder,
  })
  const at = join(folder, 'node_modules', spec.slice(0, spec.lastIndexOf('@')), program)
  const home = { DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' }
  for (const file of ['program.mjs', 'program.cjs']) {
    const printed = await run([at, ...args, file], { cwd: shop, env: { ...env, ...home } })
    const [said = ''] = printed.trim().split('\n').slice(-1)
    if (said !== `all holds on ${name}`) return `${file} said: ${said}`
  }
  return undefined
}

/** The same program with `require`, and in a function, because a CommonJS file cannot wait by itself. */
function asCommonJs(program: string): string {
  const required = program
    .replaceAll(/^import (\w+), (\{[^}]*\}) from ('[^']+')/gm, 'const $1 = require($3)\nconst $2 = $1')
    .replaceAll(/^import (\{[^}]*\}) from ('[^']+')/gm, 'const $1 = require($2)')
  return `void (async () => {\n${required}\n})()\n`
}

function versioned(name: string | undefined, version: string): string | undefined {
  return name === undefined ? undefined : `${name}@${version}`
}

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** A server that keeps each webhook as it came, and hands out those of a payment: the program needs no server of its own. */
async function openHook() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void Array.fromAsync<Buffer>(request).then((parts) => {
      const wanted = new URL(request.url ?? '/', 'http://hook').searchParams.get('of')
      if (wanted === null) {
        received.push({ headers: request.headers, body: Buffer.concat(parts).toString('base64') })
        response.writeHead(204).end()
        return
      }
      const found = received.filter(({ body }) => Buffer.from(body, 'base64').includes(wanted))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
