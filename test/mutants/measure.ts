// Tries a sample of a room's mutants, two at a time, each in a copy of the tree.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyTree, type PlantedTree } from '../planted/tree.ts'
import { equal } from './equal.ts'
import { mutated, mutationsOf, type Mutation } from './mutations.ts'
import { readReach } from './reach.ts'
import { rooms } from './rooms.ts'

export type Measured = {
  /** Without those that the compiler refuses. */
  readonly tried: number
  readonly caught: number
  /** Mutants that no test noticed and that do not compile: `npm run check` refuses them. */
  readonly refused: number
}

export type Sampling = {
  readonly count: number
  readonly seed: number
  /** The most test files that run for one mutant. */
  readonly most: number
  /** Part of the paths of the files; empty for all. */
  readonly files: string
  /** Records anew what each test reaches. */
  readonly again: boolean
  say(line: string): void
}

type Mutant = { readonly file: string; readonly text: string; readonly mutation: Mutation }
type Fate = 'caught' | 'lived' | 'refused'

const root = join(import.meta.dirname, '..', '..')
/** Two cores. */
const hands = 2
/** A mutant that makes a test wait for ever is noticed by its limit. */
const limits = { testMs: 90_000, fileMs: 180_000 }
/** The nearest test files run first and in a process of few: most mutants end there. */
const firstFiles = 3
const nextFiles = 10

/** Tries mutants of the room. The same tree, count and seed have the same mutants. */
export async function measure(room: string, sampling: Sampling): Promise<Measured> {
  const reach = await readReach(root, sampling)
  const queue = [...drawn(mutantsOf(room, sampling.files), sampling)]
  const fates: Fate[] = []
  const isSound = soundness()
  const work = async () => {
    using tree = copyTree(limits)
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const reaching = reach.of(mutant.file, mutant.mutation)
      const chosen = reaching.slice(0, sampling.most)
      const { fate, how } = await tried(tree, mutant, chosen, isSound)
      const by = fate === 'caught' ? how : `${chosen.length} of ${reaching.length} test files`
      sampling.say(`${fate.padEnd(8)} ${placeOf(mutant)}  [${by}]`)
      fates.push(fate)
    }
  }
  await Promise.all(Array.from({ length: hands }, work))
  const count = (which: Fate) => fates.filter((fate) => fate === which).length
  return { tried: fates.length - count('refused'), caught: count('caught'), refused: count('refused') }
}

/** A test file that fails without any mutant catches none. Each is asked once, when it seems to catch the first. */
type Soundness = (tree: PlantedTree, testFile: string) => Promise<boolean>

function soundness(): Soundness {
  const known = new Map<string, Promise<boolean>>()
  return (tree, testFile) => {
    const sound =
      known.get(testFile) ?? tree.runSound(testFile).then(({ tests, failed }) => tests > 0 && failed === 0)
    known.set(testFile, sound)
    return sound
  }
}

async function tried(
  tree: PlantedTree,
  { file, text, mutation }: Mutant,
  testFiles: readonly string[],
  isSound: Soundness,
): Promise<{ readonly fate: Fate; readonly how: string }> {
  const change = { file, text: mutated(text, mutation) }
  const waiting = [...testFiles]
  for (let size = firstFiles; waiting.length > 0; size = nextFiles) {
    const some = waiting.splice(0, size)
    const { failed, output } = await tree.runChanged(change, some)
    if (failed === 0) continue
    const { testFile = '', test } = firstFailure(output, some)
    if (await isSound(tree, testFile)) return { fate: 'caught', how: `${testFile}: ${test}` }
    waiting.unshift(...some.filter((each) => each !== testFile))
  }
  if (await tree.compiles(change)) return { fate: 'lived', how: '' }
  // A tree with a fault of its own would refuse every mutant.
  if (!(await tree.compiles({ file, text }))) throw new Error('The tree does not compile without a mutant.')
  return { fate: 'refused', how: '' }
}

/** The first test that failed, and its file: each file is a suite that is named by its path. */
function firstFailure(
  output: string,
  testFiles: readonly string[],
): { readonly testFile: string | undefined; readonly test: string } {
  const failure = /^ *not ok \d+ - (.*)$/m.exec(output)
  const before = output.slice(0, failure?.index ?? output.length)
  const begun = testFiles.findLast((file) => before.includes(`# Subtest: ${file}\n`))
  return { testFile: begun ?? testFiles[0], test: failure?.[1] ?? 'it did not end in its time' }
}

function mutantsOf(room: string, part: string): readonly Mutant[] {
  const pattern = rooms[room]
  return globSync('src/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => pattern?.test(path) === true && !path.endsWith('.test.ts') && path.includes(part))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return mutationsOf(text).map((mutation) => ({ file, text, mutation }))
    })
    .filter((mutant) => !isEqual(mutant))
}

/** Whether the list says that the product does the same with it. */
function isEqual({ file, text, mutation }: Mutant): boolean {
  return equal.some(
    (each) => each.file === file && text.replace(each.find, () => each.put) === mutated(text, mutation),
  )
}

/** A sample without repetition, by a generator of our own that gives the same for the same seed. */
function drawn(mutants: readonly Mutant[], { count, seed }: Sampling): readonly Mutant[] {
  const next = mulberry32(seed)
  return mutants
    .map((mutant) => [next(), mutant] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, mutant]) => mutant)
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

function placeOf({ file, text, mutation: { rule, start, end, put } }: Mutant): string {
  const line = text.slice(0, start).split('\n').length
  const short = (part: string) => part.replaceAll(/\s+/g, ' ').trim().slice(0, 90)
  return `${file}:${line} ${rule}: ${short(text.slice(start, end))} -> ${short(put)}`
}
