// A copy of the tree in which faults are planted, one after the other, and one test file is run on each.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from './fault.ts'

const root = join(import.meta.dirname, '..', '..')
const parts = ['src', 'test', 'contracts', 'migrations', 'scripts', 'simulators', 'web'] as const
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'openapi.json', 'vintem'] as const

export type PlantedTree = Disposable & {
  /** Runs the fault's test file with the fault in place, and takes it out again. */
  run(fault: Fault): Promise<Run>
}

export type Run = {
  /** Whether tests ran and some of them failed: a file that cannot even be loaded says nothing. */
  readonly isCaught: boolean
  readonly output: string
}

/** A tree of its own: several can be used side by side. */
export function copyTree(): PlantedTree {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-planted-'))
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const file of files) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    async run(fault) {
      const path = join(folder, fault.file)
      const text = readFileSync(path, 'utf8')
      writeFileSync(
        path,
        text.replace(fault.find, () => fault.put),
      )
      try {
        return await runTest(folder, fault.caughtBy)
      } finally {
        writeFileSync(path, text)
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A test that hangs with the fault has noticed it, too: it fails at this limit. A whole file that hangs says nothing. */
const testMs = 60_000
const fileMs = 5 * 60_000

async function runTest(folder: string, testFile: string): Promise<Run> {
  const { NODE_TEST_CONTEXT: _nested, VINTEM_SOAK: _soak, ...env } = process.env
  const args = [`--test-timeout=${testMs}`, '--test-reporter=tap', testFile]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const timer = setTimeout(() => child.kill('SIGKILL'), fileMs)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  const output = Buffer.concat(chunks).toString()
  const tests = counted(output, 'tests')
  return { isCaught: tests > 0 && counted(output, 'fail') + counted(output, 'cancelled') > 0, output }
}

/** From the summary of the test runner's TAP. */
function counted(output: string, what: 'tests' | 'fail' | 'cancelled'): number {
  return Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
}
