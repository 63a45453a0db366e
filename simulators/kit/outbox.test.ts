import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { createOutbox } from './outbox.ts'
import { createAgenda, createSimClock } from './sim-clock.ts'
import { openStore } from './store.ts'

const dir = mkdtempSync(join(tmpdir(), 'kit-'))
after(() => rmSync(dir, { recursive: true }))

let opened = 0
const freshDir = () => {
  opened += 1
  return mkdtempSync(join(dir, `${opened}-`))
}

test('what was put is there again, with the next number and the next name', async () => {
  const place = freshDir()
  const first = await openStore(place, 7)
  const table = first.table<{ readonly n: number }>('things')
  first.together(() => {
    table.put('a', { n: 1 })
    table.put('b', { n: 2 })
    table.drop('a')
  })
  table.put('b', { n: 3 })
  const named = first.name('thing', 10)
  await first.close()
  const second = await openStore(place)
  assert.equal(second.seed, 7)
  assert.deepEqual([...second.table('things').entries()], [['b', { n: 3 }]])
  assert.equal(second.next('thing'), 2)
  assert.notEqual(second.name('thing', 10), named)
  await second.close()
})

test('what is planned happens when the clock is put there, in the order in which it is due', async () => {
  const store = await openStore(freshDir())
  const clock = createSimClock(store)
  const agenda = createAgenda<string>(store, clock)
  const done: string[] = []
  agenda.start((what) => void done.push(what))
  agenda.plan('late', 7_200_000, 'late')
  agenda.plan('soon', 3_600_000, 'soon')
  agenda.plan('never', 3_600_000, 'never')
  agenda.drop('never')
  clock.advance(3_601)
  assert.deepEqual(done, ['soon'])
  clock.advance(3_600)
  assert.deepEqual(done, ['soon', 'late'])
  agenda.stop()
  await store.close()
})

test('letters that wait when it stops go out when it starts again, and one that always fails is given up', async () => {
  const place = freshDir()
  const sent: string[] = []
  const build = async (answer: (letter: string) => string | undefined) => {
    const store = await openStore(place)
    const lasts: string[] = []
    const outbox = createOutbox<string>({
      store,
      clock: createSimClock(store),
      span: (seconds) => seconds,
      send: async (letter) => {
        sent.push(letter)
        return answer(letter)
      },
      told: (letter, { error, isLast }) => {
        if (isLast && error !== undefined) lasts.push(letter)
      },
    })
    return { store, outbox, lasts }
  }
  const first = await build(() => undefined)
  first.outbox.post('shop', 'one')
  await first.outbox.stop()
  await first.store.close()
  assert.deepEqual(sent, [])
  const second = await build((letter) => (letter === 'bad' ? 'no' : undefined))
  second.outbox.start()
  second.outbox.post('shop', 'bad')
  second.outbox.post('shop', 'two')
  await eventually('it gives up', () => second.lasts.length > 0)
  assert.deepEqual(sent.slice(0, 3), ['one', 'bad', 'two'])
  assert.equal(sent.filter((each) => each === 'bad').length, 8)
  assert.equal(second.outbox.waiting(), 0)
  await second.outbox.stop()
  await second.store.close()
})
