// The interface of a generator of clients for the test of tools, and how its programs are run.
import { spawn } from 'node:child_process'
import { dirname, delimiter, join } from 'node:path'

/** One generator. Each step throws when something is wrong. */
export type ClientTool = {
  readonly name: string
  /** The programs that must be on the machine, each with the arguments that print its version. */
  readonly programs: readonly (readonly string[])[]
  /** Puts the generator itself into the folder, at its pinned version. */
  install(folder: string): Promise<void>
  /** Makes the client of the document. */
  generate(folder: string, document: string): Promise<void>
  /** Compiles the client together with the journey, or checks its types where nothing is compiled. */
  compile(folder: string, journey: string): Promise<void>
  /** The command that runs the journey. */
  readonly journey: { readonly file: string; command(folder: string): readonly string[] }
}

/** The pinned Node comes first: generators that run on Node get it too. */
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)

const tailLength = 4_000

/** Runs a program to its end and returns what it printed to stdout. Throws with the end of its output when it fails. */
export async function run(
  command: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let all = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    all += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (all += text))
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? 1))
  })
  if (code === 0) return printed
  throw new Error(`${command.join(' ')} ended with ${code}\n${all.slice(-tailLength)}`)
}

/** The first program that is missing, with the reason. */
export async function findMissing({ programs }: Pick<ClientTool, 'programs'>): Promise<string | undefined> {
  for (const program of programs) {
    try {
      await run(program, { cwd: process.cwd() })
    } catch (error) {
      return `${program[0]} is needed and does not run here: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return undefined
}

/** A file of this folder's journeys. */
export function journeyPath(file: string): string {
  return join(import.meta.dirname, 'journeys', file)
}
