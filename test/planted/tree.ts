// A copy of the tree in which faults are planted, one after the other, and one test file is run on each.
import { spawn } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '#/kernel/time.ts'
import { moduleOf } from '../../scripts/test-batches.ts'
import type { Fault } from './fault.ts'

const root = join(import.meta.dirname, '..', '..')
const parts = ['src', 'test', 'contracts', 'migrations', 'scripts', 'simulators', 'web', 'docs'] as const
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'openapi.json', 'vintem'] as const

export type PlantedTree = Disposable & {
  /** Runs the fault's test file with the fault in place, and removes the fault again. */
  run(fault: Fault): Promise<Run>
  /** Runs a test file without any fault: one that fails anyway catches nothing. */
  runSound(testFile: string): Promise<Run>
  /** Runs test files in one process until one of them fails, with another text in one file of the tree, which gets its own back. */
  runChanged(change: ChangedFile, testFiles: readonly string[]): Promise<Run>
  /** Whether the product's code compiles with another text in one file. */
  compiles(change: ChangedFile): Promise<boolean>
}

/** A file of the tree, from its root, and the text that stands in it meanwhile. */
export type ChangedFile = { readonly file: string; readonly text: string }

export type Run = {
  /** How many tests came to an end: zero in a file that cannot be loaded, which proves nothing. */
  readonly tests: number
  /** How many of them failed, including failed hooks, and the file itself when it did not end in its time. */
  readonly failed: number
  readonly output: string
}

/** How long one test may take, and a whole file, in milliseconds. */
export type Limits = { readonly testMs: number; readonly fileMs: number }

/** A test that hangs with the fault has noticed it, too: it fails at its limit. */
const usual: Limits = { testMs: 3 * 60_000, fileMs: 10 * 60_000 }

/** A tree of its own: several can be used side by side. */
export function copyTree(limits: Limits = usual): PlantedTree {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-planted-'))
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const file of files) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const changed = async <Result>({ file, text }: ChangedFile, run: () => Promise<Result>) => {
    const path = join(folder, file)
    const own = readFileSync(path, 'utf8')
    writeFileSync(path, text)
    try {
      return await run()
    } finally {
      writeFileSync(path, own)
    }
  }
  return {
    run({ file, find, put, caughtBy }) {
      const text = readFileSync(join(folder, file), 'utf8').replace(find, () => put)
      return changed({ file, text }, () => runTest(folder, caughtBy, limits))
    },
    runSound: (testFile) => runTest(folder, testFile, limits),
    runChanged: (change, testFiles) =>
      changed(change, () => {
        const entry = join(folder, 'several.mjs')
        writeFileSync(entry, moduleOf(testFiles, folder))
        return runTest(folder, entry, { ...limits, untilFailure: true })
      }),
    // The copy has no SDK, so its tests may not compile.
    compiles: (change) =>
      changed(change, async () => !/^src\/.*: error /m.test(await compilerOutput(folder))),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function compilerOutput(folder: string): Promise<string> {
  const compiler = join(folder, 'node_modules/typescript/bin/tsc')
  // What the run before found of the files that did not change is kept.
  const kept = ['--incremental', '--tsBuildInfoFile', join(folder, 'compiled.json')]
  const child = spawn(process.execPath, [compiler, '--noEmit', ...kept, '--pretty', 'false', '-p', '.'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  await new Promise((resolve) => child.once('close', resolve))
  return output
}

async function runTest(
  folder: string,
  testFile: string,
  { testMs, fileMs, untilFailure = false }: Limits & { readonly untilFailure?: boolean },
): Promise<Run> {
  const { NODE_TEST_CONTEXT: _nested, VINTEM_SOAK: _soak, ...env } = process.env
  // What a failed test leaves open would keep the file from ending.
  const args = [`--test-timeout=${testMs}`, '--test-force-exit', '--test-reporter=tap', testFile]
  // To a file: a process that ends itself at once loses what a pipe has not taken yet.
  const printed = join(folder, 'printed')
  const file = openSync(printed, 'w')
  // In a process group of its own: what the file has started ends with it.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ['ignore', file, file],
    detached: true,
  })
  closeSync(file)
  const end = () => endGroup(child.pid)
  process.once('exit', end)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, fileMs)
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  if (untilFailure) await endAtFailure(printed, exited, end)
  await exited
  clearTimeout(timer)
  end()
  process.removeListener('exit', end)
  const output = readFileSync(printed, 'utf8')
  const [passed, failed] = [counted(output, 'ok'), counted(output, 'not ok')]
  return { tests: passed + failed, failed: failed + (isLate ? 1 : 0), output }
}

/** Ends the run as soon as its output names a failed test. */
async function endAtFailure(printed: string, exited: Promise<void>, end: () => void): Promise<void> {
  const isOver = exited.then(() => true)
  while (counted(readFileSync(printed, 'utf8'), 'not ok') === 0)
    if (await Promise.race([isOver, sleep(100).then(() => false)])) return
  end()
}

/** Counts lines of TAP, because its summary does not count a failed hook, and a file that is ended has no summary. */
function counted(output: string, what: 'ok' | 'not ok'): number {
  return [...output.matchAll(new RegExp(`^ *${what} \\d+ - `, 'gm'))].length
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
