// Every planted fault is noticed by the test that it names, and that test passes without it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faults } from './faults.ts'
import { copyTree } from './tree.ts'

/** Two cores: one test file on each. */
const hands = 2

describe('planted faults', { concurrency: hands }, () => {
  const byFile = [...Map.groupBy(faults, ({ caughtBy }) => caughtBy)]
  const turns = Array.from({ length: hands }, (_, hand) =>
    byFile.filter((_each, index) => index % hands === hand),
  )
  for (const [hand, turn] of turns.entries()) {
    test(`each is noticed (${hand + 1} of ${hands})`, async (t) => {
      using tree = copyTree()
      const wrong: string[] = []
      const note = (what: string, output: string) => {
        wrong.push(what)
        t.diagnostic(`${what}\n${output.slice(-1_500)}`)
      }
      for (const [testFile, planted] of turn) {
        const sound = await tree.runSound(testFile)
        if (sound.tests === 0 || sound.failed > 0) {
          note(`${testFile} fails without a fault, so it catches none`, sound.output)
          continue
        }
        for (const fault of planted) {
          const { tests, failed, output } = await tree.run(fault)
          // A file that cannot be loaded with the fault has not noticed it.
          if (tests === 0 || failed === 0)
            note(`${fault.room}: ${fault.what} (${fault.file}): ${testFile} does not notice it`, output)
        }
      }
      assert.deepEqual(wrong, [])
    })
  }
})
