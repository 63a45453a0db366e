// Every planted fault is noticed by the test that it names.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { faults } from './faults.ts'
import { copyTree } from './tree.ts'

/** Two cores: one fault on each. */
const hands = 2

describe('planted faults', { concurrency: hands }, () => {
  const turns = Array.from({ length: hands }, (_, hand) =>
    faults.filter((_, index) => index % hands === hand),
  )
  for (const [hand, turn] of turns.entries()) {
    test(`each is noticed (${hand + 1} of ${hands})`, async (t) => {
      using tree = copyTree()
      const unnoticed: string[] = []
      for (const fault of turn) {
        const { isCaught, output } = await tree.run(fault)
        if (isCaught) continue
        unnoticed.push(`${fault.room}: ${fault.what} (${fault.file}; ${fault.caughtBy} passes)`)
        t.diagnostic(must(output.slice(-1_500), 'what the test said'))
      }
      assert.deepEqual(unnoticed, [])
    })
  }
})
