import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chance, dueBefore, machineTime } from './chance.ts'
import { faultsIn } from './plant.ts'

test('a test that draws without a seed is found', () => {
  const files = { 'test/chance.ts': "import * as fc from 'fast-check'\n" }
  assert.deepEqual(faultsIn(chance, files), [])
  const found = { ...files, 'src/kernel/money.test.ts': "import fc from 'fast-check'\n" }
  assert.equal(faultsIn(chance, found).length, 1)
  const ofSdk = (runs: string) => ({
    ...files,
    'sdk/a.test.ts': `import fc from 'fast-check'\nfc.assert(p, ${runs})\n`,
  })
  assert.equal(faultsIn(chance, ofSdk('{ numRuns: 9 }')).length, 1)
  assert.deepEqual(faultsIn(chance, ofSdk('{ seed: 1 }')), [])
  assert.deepEqual(
    faultsIn(chance, { ...files, 'src/kernel/money.test.ts': "import { fc } from '../../test/chance.ts'\n" }),
    [],
  )
})

test('a test that reads the machine’s time is found, unless the rule says why it may', () => {
  const reading = 'const at = Date.now()\n'
  assert.equal(faultsIn(machineTime, { 'src/kernel/money.test.ts': reading }).length, 1)
  assert.equal(faultsIn(machineTime, { 'test/laws/books.test.ts': `${reading}${reading}` }).length, 2)
  assert.deepEqual(faultsIn(machineTime, { 'src/kernel/money.test.ts': '// not Date.now()\n' }), [])
  assert.deepEqual(faultsIn(machineTime, { 'simulators/kit/clock.test.ts': reading }), [])
})

test('what a test makes due at this very moment is found', () => {
  const file = (sql: string) => ({ 'src/mail/send.test.ts': `await sql\`update letter set ${sql}\`\n` })
  assert.equal(faultsIn(dueBefore, file('due_at = statement_timestamp()')).length, 1)
  assert.equal(faultsIn(dueBefore, file('expires_at = now() where id = 1')).length, 1)
  assert.deepEqual(faultsIn(dueBefore, file("due_at = now() - interval '1 second'")), [])
  assert.deepEqual(faultsIn(dueBefore, file('ended_at = now()')), [])
})
