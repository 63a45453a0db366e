// Types the commands of the page about live money on a node of one's own, exactly as written. `npm run test:tools` runs this among others,
// `./vintem dev test/tools/own-node.ts` runs it alone. Not part of npm test, because it downloads and builds geth. A missing tool chain is
// a failure, not a pass.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesOf } from '../journeys/processes.ts'
import { freePorts } from '../ports.ts'

const root = path.resolve(import.meta.dirname, '../..')
const page = path.join(root, 'docs', 'own-node.md')

/** Building geth for the first time takes most of it. */
const patienceMs = 45 * 60_000
const tailLength = 6_000

if (import.meta.main) process.exitCode = await main()

async function main(): Promise<number> {
  const startedAt = performance.now()
  const fault = await runOwnNode()
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  console.log(`${fault === undefined ? '✔' : '✖'} own-node ${seconds.padStart(5)} s  geth ${gethVersion()}`)
  if (fault !== undefined) console.log(fault)
  return fault === undefined ? 0 : 1
}

/** Types the page's commands into one shell, in a folder of their own. Returns what went wrong, if anything did. */
export async function runOwnNode(): Promise<string | undefined> {
  const home = mkdtempSync(path.join(tmpdir(), 'vintem-own-node-'))
  for (const name of ['vintem', 'package.json', 'node_modules', 'src', 'contracts'])
    symlinkSync(path.join(root, name), path.join(home, name))
  const [node, base] = await Promise.all([freePorts([0]), freePorts([0, 1, 2, 3, 20])])
  const commands = commandsOf(readFileSync(page, 'utf8'))
    .replaceAll('8545', String(node))
    .replaceAll('4100', String(base))
  // A group of its own, so that what a failure leaves behind can be ended by its id.
  const shell = spawn('bash', ['-s'], { cwd: home, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  shell.stdin.end(commands)
  const late = setTimeout(() => endGroup(shell.pid), patienceMs)
  const [code] = (await once(shell, 'exit')) as [number | null]
  clearTimeout(late)
  const isWhole = code === 0 && printed.includes('Books and chain agree to the base unit')
  const left = await endAll(home, shell.pid)
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  if (!isWhole) return `the commands of docs/own-node.md ended with ${code}\n${printed.slice(-tailLength)}`
  return left === 0 ? undefined : `${left} processes were left behind`
}

/** Its blocks of shell, one after another. */
function commandsOf(text: string): string {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  if (blocks.length < 10) throw new Error('docs/own-node.md has its commands in blocks of sh')
  return blocks.join('\n')
}

function gethVersion(): string {
  return /geth@v([\d.]+)/.exec(readFileSync(page, 'utf8'))?.[1] ?? 'of no version'
}

/** Ends what is left. Returns how many processes that were. */
async function endAll(home: string, group: number | undefined): Promise<number> {
  const left = processesOf(home).length
  endGroup(group)
  for (let tries = 0; tries < 150 && processesOf(home).length > 0; tries += 1) await sleep(200)
  return left
}

function endGroup(group: number | undefined): void {
  if (group === undefined) return
  try {
    process.kill(-group, 'SIGTERM')
  } catch {
    // All of it has ended.
  }
}
