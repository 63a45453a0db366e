// Clients that other people's generators make of openapi.json, against a live sandbox: `npm run test:tools [name …]`.
// Each is generated, compiled, and walks from a payment to its refund with amounts beyond 32 bits. Not part of npm test: it
// downloads what is not ours. A tool chain that is not there is a failure, not a pass.
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInstallation, type Installation } from '../journeys/installation.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { python } from './python.ts'
import { findMissing, journeyPath, run, type ClientTool } from './tool.ts'
import { typescript } from './typescript.ts'

const tools: Readonly<Record<string, ClientTool>> = { typescript, python, go, java }

const root = join(import.meta.dirname, '..', '..')
const document = join(root, 'openapi.json')

/** What is downloaded stays from run to run. Not in node_modules, where compilers take everything for somebody else's. */
const place = join(root, 'dist', 'tools')

const amount = 5_000_000_000
const refunded = 3_000_000_000

process.exitCode = await main(process.argv.slice(2))

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => tools[name] === undefined)
  if (unknown.length > 0) {
    console.error(`no tool is called ${unknown.join(' or ')}: there are ${Object.keys(tools).join(', ')}`)
    return 1
  }
  const wanted = Object.entries(tools).filter(([name]) => names.length === 0 || names.includes(name))
  await using installation = await createInstallation()
  await installation.start()
  const failed: string[] = []
  for (const [name, tool] of wanted) {
    const startedAt = performance.now()
    const fault = await tryOut(name, tool, installation).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    console.log(
      `${fault === undefined ? '✔' : '✖'} ${name.padEnd(10)} ${seconds.padStart(4)} s  ${tool.name}`,
    )
    if (fault === undefined) continue
    console.log(`  ${fault.replaceAll('\n', '\n  ')}\n`)
    failed.push(name)
  }
  console.log(
    failed.length === 0 ? `\nall ${wanted.length} clients agree` : `\n✖ failed: ${failed.join(', ')}`,
  )
  return failed.length === 0 ? 0 : 1
}

async function tryOut(name: string, tool: ClientTool, { sandbox }: Installation): Promise<void> {
  const missing = await findMissing(tool)
  if (missing !== undefined) throw new Error(missing)
  const folder = join(place, name)
  await mkdir(folder, { recursive: true })
  await tool.install(folder)
  await tool.generate(folder, document)
  await tool.compile(folder, journeyPath(tool.journey.file))
  const { apiUrl, apiKey } = sandbox()
  const env = { API_URL: apiUrl, API_KEY: apiKey, RUN: `${name}-${randomUUID()}` }
  const printed = await run(tool.journey.command(folder), { cwd: folder, env })
  const { payment, refund } = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, string>
  await expect(`${apiUrl}/v1/payments/${payment}`, apiKey, { amount, amountReceived: amount, status: 'PAID' })
  await expect(`${apiUrl}/v1/refunds/${refund}`, apiKey, { paymentId: payment, amount: refunded })
}

/** Holds what the client says it did against what the API says, as plain JSON. */
async function expect(url: string, apikey: string, wanted: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(url, { headers: { apikey } })
  const body = (await answer.json()) as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(wanted))
    if (body[name] !== value)
      throw new Error(`${url}: ${name} is ${JSON.stringify(body[name])}, not ${JSON.stringify(value)}`)
}
