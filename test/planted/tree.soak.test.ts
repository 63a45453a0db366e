// The results of runs on a planted tree: of a file that passes, of a fault, of one that hangs, and of a file that cannot be loaded.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { copyTree, type PlantedTree } from './tree.ts'

let tree: PlantedTree
before(() => {
  tree = copyTree({ testMs: 60_000, fileMs: 120_000 })
})
after(() => tree[Symbol.dispose]())

const testFile = 'src/merchants/fee.test.ts'
const planting = (find: string, put: string) =>
  ({ room: 'fees', what: 'a fault', file: 'src/merchants/fee.ts', find, put, caughtBy: testFile }) as const

test('a file passes without a fault, fails with one, and passes again when the fault is removed', async () => {
  const sound = await tree.runSound(testFile)
  assert.ok(sound.tests > 0, sound.output)
  assert.equal(sound.failed, 0, sound.output)
  const faulty = await tree.run(planting('minOf(due, arrived)', 'due'))
  assert.ok(faulty.failed > 0 && faulty.tests === sound.tests, faulty.output)
  assert.equal((await tree.runSound(testFile)).failed, 0)
})

test('a file that cannot be loaded ran no test', async () => {
  const { tests, failed } = await tree.run(planting('return maxOf(', 'return maxOf((('))
  assert.deepEqual([tests, failed], [0, 0])
})

/** The test file itself, with another test before its own. */
const withTest = (text: string) => {
  const find = "import { test } from 'node:test'\n"
  return { ...planting(find, `${find}${text}\n`), file: testFile }
}

test('a test that hangs fails at its limit, and the others run', async () => {
  using hasty = copyTree({ testMs: 1_000, fileMs: 60_000 })
  const { tests, failed, output } = await hasty.run(
    withTest("test('hangs', () => new Promise((resolve) => setTimeout(resolve, 1_000_000)))"),
  )
  assert.ok(failed === 1 && tests > 1, output)
})

test('a file that never ends fails, and is ended with all that it started', async () => {
  using hasty = copyTree({ testMs: 1_000, fileMs: 10_000 })
  // What it starts keeps its output open, so that this run would not end before that does.
  const { failed, output } = await hasty.run(
    withTest(
      `import { spawn } from 'node:child_process'
       test('spins', () => {
         spawn('sleep', ['1000000'], { stdio: 'inherit' })
         for (;;);
       })`,
    ),
  )
  assert.equal(failed, 1, output)
})
