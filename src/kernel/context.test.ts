import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentContext, inContext, inTrace, readTrace, traceHeader } from './context.ts'
import { sleep } from './time.ts'

// The example of W3C Trace Context, 3.2.
const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a traceparent of version 00 is taken, and of a later version its known part', () => {
  assert.equal(readTrace(given), given)
  assert.equal(readTrace(given.replace(/^00/, 'cc')), given)
  assert.equal(readTrace(`${given.replace(/^00/, 'cc')}-what-comes-later`), given)
})

test('a traceparent that cannot be read is ignored', () => {
  const nonsense = [
    undefined,
    '',
    [given, given],
    given.toUpperCase(),
    given.replace(/^00/, 'ff'),
    `${given}-more`,
    `${given}\n`,
    given.slice(1),
    given.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    given.replace('b7ad6b7169203331', '0'.repeat(16)),
    `cc${given.slice(2)}-${'x'.repeat(600)}`,
  ]
  assert.deepEqual(
    nonsense.map(readTrace),
    Array.from(nonsense, () => undefined),
  )
})

test('work keeps its context through its awaits, and other work has none of it', async () => {
  const contexts = inContext({ requestId: 'one' }, () =>
    inTrace(given, async () => {
      await sleep(1)
      return { ...currentContext(), ...traceHeader() }
    }),
  )
  assert.deepEqual(currentContext(), {})
  assert.deepEqual(await contexts, { requestId: 'one', trace: given, traceparent: given })
  assert.deepEqual(inTrace(null, traceHeader), {})
})
