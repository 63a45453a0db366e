// Which test files run which functions, recorded by one whole run of `npm test`, and of the stories of the dashboard, which call its routes in
// their own process: see record-reach.ts. A record serves until its source file changes; a file that has changed since is reached by every
// test file that ran any function of it. A test file that is new or has changed since reaches all files of its folder.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Mutation } from './mutations.ts'
import type { Ran } from './record-reach.ts'

type Recorded = { readonly testFile: string; readonly spanMs: number; readonly ran: Ran }
type Stored = {
  readonly recorded: readonly Recorded[]
  /** SHA-256 of each source file and test file, as it was. */
  readonly texts: Readonly<Record<string, string>>
}

export type Reach = {
  /** The test files that run the place of the mutation, nearest first. */
  of(file: string, mutation: Pick<Mutation, 'start' | 'within'>): readonly string[]
}

const kept = join('node_modules', '.vintem-reach.json')

/** Reads the record of the tree, or makes it: this takes two minutes more than `npm test`. */
export async function readReach(root: string, { again }: { readonly again: boolean }): Promise<Reach> {
  const path = join(root, kept)
  if (again || !existsSync(path)) writeFileSync(path, JSON.stringify(await record(root)))
  const { recorded, texts } = JSON.parse(readFileSync(path, 'utf8')) as Stored
  const isAsRecorded = (file: string) => texts[file] === hashOf(readFileSync(join(root, file)))
  return {
    of(file, { within }) {
      // A place outside of functions runs when the file is loaded.
      const innermost = isAsRecorded(file) ? within[0] : undefined
      const reaching = recorded
        .filter(({ testFile }) => existsSync(join(root, testFile)))
        .filter(({ ran }) => runs(ran[file], innermost))
        .toSorted((a, b) => distance(a.testFile, file) - distance(b.testFile, file) || a.spanMs - b.spanMs)
        .map(({ testFile }) => testFile)
      const fresh = testsBeside(root, file).filter((testFile) => !isAsRecorded(testFile))
      const all = [...new Set([...fresh, ...reaching])]
      // Those that name the file itself are about it. The order of the others stays.
      return all.toSorted((a, b) => Number(namesIt(root, b, file)) - Number(namesIt(root, a, file)))
    },
  }
}

/** Whether a test file imports the source file. */
function namesIt(root: string, testFile: string, file: string): boolean {
  return readFileSync(join(root, testFile), 'utf8').includes(`/${basename(file)}'`)
}

/** The test files in the folder of a source file, that of its name first. */
function testsBeside(root: string, file: string): readonly string[] {
  return globSync(`${dirname(file)}/*.test.ts`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted((a, b) => distance(a, file) - distance(b, file))
}

function runs(offsets: Ran[string] | undefined, innermost: readonly [number, number] | undefined): boolean {
  if (offsets === undefined) return false
  return (
    // Only the ends are compared: V8 counts the name of a method to its function, and the syntax tree does not.
    innermost === undefined || offsets.some(([, end]) => end === innermost[1])
  )
}

/** How far a test is from a file: beside it by name, in its folder, about a word of its name, about its folder, or elsewhere. */
function distance(testFile: string, file: string): number {
  const name = basename(file, '.ts')
  const tested = basename(testFile, '.test.ts')
  if (dirname(testFile) === dirname(file)) return tested === name ? 0 : name.startsWith(tested) ? 1 : 2
  const isAbout = (word: string) => tested.includes(word.replace(/s$/, ''))
  const words = name.split('-').filter((word) => word !== 'queries' && word.length > 3)
  return words.some(isAbout) ? 3 : isAbout(basename(dirname(file))) ? 4 : 5
}

async function record(root: string): Promise<Stored> {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-reach-'))
  try {
    for (const filters of [[], ['test/dashboard/']]) {
      const run = spawn(process.execPath, ['scripts/test.ts', ...filters], {
        cwd: root,
        env: { ...process.env, VINTEM_REACH: folder },
        stdio: 'inherit',
      })
      const code = await new Promise((resolve) => run.once('exit', resolve))
      if (code !== 0) throw new Error('Tests fail without a mutant, so they can catch none.')
    }
    const recorded = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded,
    )
    const files = new Set(recorded.flatMap(({ testFile, ran }) => [testFile, ...Object.keys(ran)]))
    return {
      recorded,
      texts: Object.fromEntries([...files].map((file) => [file, hashOf(readFileSync(join(root, file)))])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
