// A simulator as a program: its options, the line that reports its addresses, and its end.
import { parseArgs } from 'node:util'
import { given } from './given.ts'
import type { Running } from './serve.ts'

/** Of every simulator. */
export type CommonOptions = {
  readonly dataDir: string
  /** Serves its API, or everything; 0: any free one. */
  readonly port: number
  /** Default: the stored one, or a random one at the first start. */
  readonly seed?: number
}

/** As the command line says them: a text, or whether a switch is there. */
type Own<Usual> = { readonly port: string } & {
  readonly [Name in keyof Usual]: Usual[Name] extends false ? boolean : string
}

/**
 * Starts the simulator with the options of the command line, and prints the ready line. A signal ends the process;
 * `--die-with-parent`: so does its standard input when it closes, which happens however the parent process ends. `usual`: its own
 * options and what they are by default, `false` for a switch; every simulator has a port, a folder for its data and a seed.
 */
export async function runProgram<Usual extends { readonly port: string }>(
  usual: Usual & Readonly<Record<string, string | false>>,
  start: (common: CommonOptions, own: Own<Usual>) => Promise<Running>,
): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(
        Object.entries(usual).map(([name, value]) => [
          name,
          value === false ? { type: 'boolean', default: false } : { ...text, default: value },
        ]),
      ),
      'data-dir': text,
      seed: text,
      'die-with-parent': { type: 'boolean' },
    },
  })
  const own = values as Own<Usual>
  const seed = values.seed === undefined ? undefined : numberOption('--seed', values.seed, 0, 2 ** 31 - 1)
  const running = await start(
    {
      dataDir: values['data-dir'] ?? failProgram('--data-dir is missing'),
      port: numberOption('--port', own.port, 0, 65_535),
      ...given({ seed }),
    },
    own,
  )
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void running.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (values['die-with-parent'] === true)
    process.stdin.on('end', end).on('close', end).on('error', end).resume()
  const { apiUrl, controlUrl, seed: used } = running
  process.stdout.write(`${JSON.stringify({ ready: true, apiUrl, controlUrl, seed: used })}\n`)
}

export function numberOption(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : -1
  if (value < min || value > max) failProgram(`${name} is a whole number from ${min} to ${max}`)
  return value
}

/** Whole numbers with commas between them: seconds before the second, third … attempt. */
export function secondsOption(name: string, text: string): readonly number[] {
  return text.split(',').map((each) => numberOption(name, each, 0, 86_400))
}

/** Ends the process because of a wrong option. */
export function failProgram(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
