// Tests with other people's tools: `npm run test:tools [name …]`. Not part of npm test, because they download other people's software. A
// missing tool chain is a failure, not a pass.
// - Generators of clients read openapi.json. Each generated client is compiled and goes from a payment to its refund with amounts beyond
//   32 bits, against a running sandbox.
// - `lint`: checks openapi.json with linters.
// - `own-node`: types the commands of the page about a node of one's own.
// - `iso20022`: validates the files that go to banks and come from them.
// - `receivers`: runs the receivers of webhooks that the documents show, against deliveries of a sandbox.
// - `medusa`: runs the payment provider in a real Medusa.
// - `woocommerce`: runs the plug-in in a real WooCommerce, which WOOCOMMERCE names.
// - `runtimes`: runs the packed SDK on Node 20, Bun and Deno.
// - `python-sdk`: runs the Python SDK from its wheel, and the example shop that uses it, on each Python that is there.
// - `samples`: runs the samples of the documents in Python and PHP.
// - `containers`: lints Dockerfile and compose.yaml, lays out the image and starts it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInstallation, type Installation } from '../journeys/installation.ts'
import { go } from './clients/go.ts'
import { java } from './clients/java.ts'
import { python } from './clients/python.ts'
import { findMissing, journeyPath, run, type ClientTool } from './clients/tool.ts'
import { typescript } from './clients/typescript.ts'
import { iso20022 } from './iso20022.ts'
import { lint } from './lint.ts'
import { tryMedusa } from './medusa.ts'
import { lintContainers } from './ops.ts'
import { tryPythonSdk } from './python-sdk.ts'
import { receivers } from './receivers.ts'
import { tryRuntimes } from './runtimes.ts'
import { trySamples } from './samples.ts'
import { tryWooCommerce } from './woocommerce.ts'

const tools: Readonly<Record<string, ClientTool>> = { typescript, python, go, java }
const linters = 'lint'
const ownNode = 'own-node'
const schemas = 'iso20022'
const ofDocuments = 'receivers'
const medusa = 'medusa'
const woocommerce = 'woocommerce'
const runtimes = 'runtimes'
const pythonSdk = 'python-sdk'
const ofSamples = 'samples'
const containers = 'containers'

const root = join(import.meta.dirname, '..', '..')
const document = join(root, 'openapi.json')

/** Downloads stay from run to run. Not in node_modules, where compilers ignore everything as a library. */
const place = join(root, 'dist', 'tools')

const amount = 5_000_000_000
const refunded = 3_000_000_000

process.exitCode = await main(process.argv.slice(2))

async function main(names: readonly string[]): Promise<number> {
  const rest = [
    linters,
    ownNode,
    schemas,
    ofDocuments,
    medusa,
    woocommerce,
    runtimes,
    pythonSdk,
    ofSamples,
    containers,
  ]
  const all = [...Object.keys(tools), ...rest]
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    console.error(`no tool is called ${unknown.join(' or ')}: there are ${all.join(', ')}`)
    return 1
  }
  const isWanted = (name: string) => names.length === 0 || names.includes(name)
  const wanted = Object.entries(tools).filter(([name]) => isWanted(name))
  const failed = wanted.length === 0 ? [] : [...(await tryClients(wanted))]
  if (isWanted(linters) && !(await tryLint())) failed.push(linters)
  if (isWanted(ownNode) && !(await typePage())) failed.push(ownNode)
  if (isWanted(schemas) && !(await tryFiles())) failed.push(schemas)
  if (isWanted(ofDocuments) && !(await tryReceivers())) failed.push(ofDocuments)
  if (isWanted(medusa) && !(await isWhole(tryMedusa(join(place, medusa))))) failed.push(medusa)
  if (isWanted(woocommerce) && !(await isWhole(tryWooCommerce(join(place, woocommerce)))))
    failed.push(woocommerce)
  if (isWanted(runtimes) && !(await isWhole(tryRuntimes(join(place, runtimes))))) failed.push(runtimes)
  if (isWanted(pythonSdk) && !(await isWhole(tryPythonSdk()))) failed.push(pythonSdk)
  if (isWanted(ofSamples) && !(await isWhole(trySamples(join(place, ofSamples))))) failed.push(ofSamples)
  if (isWanted(containers) && !(await isWhole(lintContainers(join(place, containers), root))))
    failed.push(containers)
  console.log(failed.length === 0 ? '\nall hold' : `\n✖ failed: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}

async function tryLint(): Promise<boolean> {
  const fault = await lint(join(place, linters), document).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  console.log(`${fault === undefined ? '✔' : '✖'} Redocly and Spectral\n${fault ?? ''}`)
  return fault === undefined
}

/** Whether a program that prints its own report has no faults. */
async function isWhole(faults: Promise<readonly string[]>): Promise<boolean> {
  try {
    const found = await faults
    for (const fault of found) console.log(`✖ ${fault}`)
    return found.length === 0
  } catch (error) {
    console.log(`✖ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return false
  }
}

async function tryFiles(): Promise<boolean> {
  const said = await iso20022(join(place, schemas)).then(
    (count) => ({ ok: true, text: `${count} files` }),
    (error: unknown) => ({ ok: false, text: error instanceof Error ? error.message : String(error) }),
  )
  console.log(`${said.ok ? '✔' : '✖'} schemas of ISO 20022\n${said.text}`)
  return said.ok
}

async function tryReceivers(): Promise<boolean> {
  await using installation = await createInstallation()
  await installation.start()
  let holds = true
  for (const tool of receivers) {
    const fault = await tool.run(join(place, ofDocuments), installation.sandbox()).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    console.log(
      `${fault === undefined ? '✔' : '✖'} receiver in ${tool.name}${fault === undefined ? '' : `\n${fault}`}`,
    )
    holds &&= fault === undefined
  }
  return holds
}

/** Whether the page about a node of one's own holds. The program prints its own report. */
async function typePage(): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'own-node.ts')], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

/** Runs these clients, and prints each failure. Returns the names of those that failed. */
async function tryClients(wanted: readonly (readonly [string, ClientTool])[]): Promise<readonly string[]> {
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
    const sign = fault === undefined ? '✔' : '✖'
    console.log(`${sign} ${name.padEnd(10)} ${seconds.padStart(4)} s  ${tool.name}`)
    if (fault === undefined) continue
    console.log(`  ${fault.replaceAll('\n', '\n  ')}\n`)
    failed.push(name)
  }
  return failed
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

/** Compares the client's report with what the API returns, as plain JSON. */
async function expect(url: string, apikey: string, wanted: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(url, { headers: { apikey } })
  const body = (await answer.json()) as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(wanted))
    if (body[name] !== value)
      throw new Error(`${url}: ${name} is ${JSON.stringify(body[name])}, not ${JSON.stringify(value)}`)
}
