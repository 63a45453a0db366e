import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { clockControl } from './account-clock.ts'
import { runAgenda } from './agenda.ts'
import type { Call } from './http.ts'
import { createOutbox, type Delivery } from './outbox.ts'
import { openStore, type Store } from './store.ts'

const dir = mkdtempSync(join(tmpdir(), 'kit-'))
after(() => rmSync(dir, { recursive: true }))

let opened = 0
const freshDir = () => {
  opened += 1
  return mkdtempSync(join(dir, `${opened}-`))
}

test('stored values are there again after a restart, with the next number and the next name', async () => {
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

test('tasks run when they have come closer, in the order of their due times, and those of others stay', async () => {
  const store = await openStore<Planned>(freshDir())
  const { done, stop, advance } = atWork(store)
  const plan = (what: string, delayMs: number) => store.schedule(delayMs, { do: 'note', what }, what)
  plan('late', 7_200_000)
  plan('soon', 3_600_000)
  plan('never', 3_600_000)
  plan('moved', 3_600_000)
  store.cancel('never')
  plan('moved', 7_100_000)
  plan('other: theirs', 3_600_000)
  await advance('shop', 3_601_000)
  assert.deepEqual(done, ['soon'])
  await advance('shop', 3_600_000)
  assert.deepEqual(done, ['soon', 'moved', 'late'])
  assert.equal(store.tasks.size, 1)
  await advance('other', 3_601_000)
  assert.equal(done.at(-1), 'other: theirs')
  stop()
  await store.close()
})

test('tasks scheduled before a kill run after it', async () => {
  const place = freshDir()
  const first = await openStore<Planned>(place)
  first.schedule(3_600_000, { do: 'note', what: 'one' }, 'one')
  first.schedule(3_600_000, { do: 'note', what: 'two' }, 'two')
  first.cancel('one')
  const [task] = first.tasks.keys()
  first.advance({ account: 'shop', id: 'a', byMs: 3_601_000, tasks: [task ?? 0], moved: {} })
  await first.close()
  const second = await openStore<Planned>(place)
  const { done, stop } = atWork(second)
  assert.deepEqual(done, ['two'])
  stop()
  await second.close()
})

test('of an account’s advances the last thousand are remembered by id, also after a restart', async () => {
  const place = freshDir()
  const first = await openStore<Planned>(place)
  for (let n = 0; n <= 1_000; n++)
    first.advance({ account: 'shop', id: `${n}`, byMs: n + 1, tasks: [], moved: {} })
  await first.close()
  const second = await openStore<Planned>(place)
  assert.equal(second.advanceOf('shop', '0'), undefined)
  assert.equal(second.advanceOf('shop', '1')?.byMs, 2)
  assert.equal(second.advanceOf('other', '1'), undefined)
  assert.equal(second.advances('shop'), 1_001)
  await second.close()
})

test('a journal in which one clock counted for all is read: what that clock had passed is due', async () => {
  const place = freshDir()
  const at = Date.now()
  const old = [
    { type: 'clock.advanced', at, byMs: 3_600_000 },
    { type: 'task.scheduled', at, task: 1, dueAt: at + 3_600_000, what: { do: 'note', what: 'due' } },
    { type: 'task.scheduled', at, task: 2, dueAt: at + 7_200_000, what: { do: 'note', what: 'ahead' } },
  ]
  writeFileSync(join(place, 'journal.jsonl'), `${JSON.stringify([...old])}\n`)
  const store = await openStore<Planned>(place)
  const { done, stop, advance } = atWork(store)
  assert.deepEqual(done, ['due'])
  await advance('shop', 3_600_000)
  assert.deepEqual(done, ['due', 'ahead'])
  stop()
  await store.close()
})

test('letters that wait at the stop are sent after the restart, and one that always fails is given up', async () => {
  const place = freshDir()
  const sent: string[] = []
  const first = await openPost(place, sent, () => undefined)
  first.outbox.post({ to: 'shop', text: 'one' })
  await first.stop()
  assert.deepEqual(sent, [])
  const second = await openPost(place, sent, ({ text }) => (text === 'bad' ? 'no' : undefined))
  second.outbox.post({ to: 'shop', text: 'bad' })
  second.outbox.post({ to: 'shop', text: 'two' })
  await eventually('it gives up', () => second.givenUp.length > 0)
  assert.deepEqual(sent.slice(0, 3), ['one', 'bad', 'two'])
  assert.equal(sent.filter((each) => each === 'bad').length, 4)
  assert.equal(second.outbox.waiting(), 0)
  await second.stop()
})

test('a receiver gets one letter at a time, and a slow one delays no other', async () => {
  const sent: string[] = []
  const gate = Promise.withResolvers<undefined>()
  const at = await openPost(freshDir(), sent, ({ text }) => (text === 'slow' ? gate.promise : undefined))
  for (const text of ['slow', 'next']) at.outbox.post({ to: 'shop', text })
  at.outbox.post({ to: 'other', text: 'other' })
  await eventually('the other gets its letter', () => sent.includes('other'))
  assert.deepEqual(sent, ['slow', 'other'])
  gate.resolve(undefined)
  await eventually('the next goes', () => sent.includes('next'))
  await at.stop()
})

test('a letter that lets another go first follows right after it, and goes alone when there is none', async () => {
  const sent: string[] = []
  const at = await openPost(freshDir(), sent, () => undefined)
  at.outbox.post({ to: 'shop', text: 'one' }, { reorders: true })
  at.outbox.post({ to: 'shop', text: 'two' }, { reorders: true })
  await eventually('both come', () => sent.length === 2)
  assert.deepEqual(sent, ['two', 'one'])
  at.outbox.post({ to: 'shop', text: 'three' }, { reorders: true })
  await eventually('it comes by itself', () => sent.length === 3)
  await at.stop()
})

/** The agenda of a store, and advances of its accounts: a task whose words name none is of the account `shop`. */
function atWork(store: Store<Planned>) {
  const done: string[] = []
  const stop = runAgenda({
    eventStore: store,
    outbox: { attempt: () => Promise.resolve() },
    perform: ({ what }: Planned) => void done.push(what),
  })
  const {
    route: { handle },
  } = clockControl({
    eventStore: store,
    find: (account) => account,
    accountOf: ({ what }: Planned) => (what.includes(':') ? what.split(':')[0] : 'shop'),
    move: () => ({}),
  })
  const advance = async (account: string, byMs: number) => {
    const body = Buffer.from(JSON.stringify({ account, advanceMs: byMs, id: randomUUID() }))
    await handle({ body } as Call)
  }
  return { done, stop, advance }
}

type Planned = { readonly do: 'note'; readonly what: string }
type Letter = { readonly to: string; readonly text: string }

/** An outbox whose seconds are milliseconds. `answer`: what goes wrong with a letter. */
async function openPost(
  place: string,
  sent: string[],
  answer: (letter: Letter) => string | undefined | Promise<undefined>,
) {
  const store = await openStore<Delivery<Letter>>(place)
  const givenUp: string[] = []
  const outbox = createOutbox<Letter>({
    eventStore: store,
    receiverOf: ({ to }) => to,
    atOnce: 1,
    retrySeconds: [1, 2, 4],
    span: (seconds) => seconds * 10,
    send: async (letter) => {
      sent.push(letter.text)
      return answer(letter)
    },
    report: ({ text }, { error, isLast }) => {
      if (isLast && error !== undefined) givenUp.push(text)
    },
  })
  const stopAgenda = runAgenda({ eventStore: store, outbox, perform: () => undefined })
  return {
    outbox,
    givenUp,
    stop: async () => {
      stopAgenda()
      await outbox.stop()
      await store.close()
    },
  }
}
