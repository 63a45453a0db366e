// The editor's keeper of a draft, against a server that keeps drafts as ours does and whose network can fail.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ProblemError } from '../../web/dashboard/api/problem.ts'
import { createKeeper, type DraftKeeper } from '../../web/dashboard/screens/templates/draft-keeper.ts'
import { isSaved, saveOf, type DraftNow } from '../../web/dashboard/screens/templates/draft-state.ts'
import { eventually } from '../eventually.ts'

type Doc = { readonly text: string }
type Now = DraftNow<Doc>

/** What one server keeps, and what happens to the next calls of each of its callers. */
let stored: Now
beforeEach(() => {
  stored = {}
})

function problem(status: number, code: string): ProblemError {
  return new ProblemError({ status, code, title: code, detail: code })
}
const conflict = () => problem(409, 'invalid_state')

const revision = () => stored.published?.revision

function write(author: string, version: string, { base, document }: { base: number; document: Doc }): void {
  stored = { ...stored, draft: { version, base, document, authorId: author, author, savedAt: 'now' } }
}

function end(): void {
  const { published } = stored
  stored = published === undefined ? {} : { published }
}

/** A person's editor. `lose`: the next request is lost on its way, or its answer. `refuse`: each request is refused so. */
function open(author: string) {
  const network: { lose: 'request' | 'answer' | undefined; refuse: Error | undefined; calls: string[] } = {
    lose: undefined,
    refuse: undefined,
    calls: [],
  }
  const send = async <T>(name: string, act: () => T): Promise<T> => {
    network.calls.push(name)
    await Promise.resolve()
    if (network.refuse !== undefined) throw network.refuse
    const { lose } = network
    network.lose = undefined
    if (lose === 'request') throw problem(0, 'offline')
    const answer = act()
    if (lose === 'answer') throw problem(0, 'offline')
    return answer
  }
  const take = (version: string | undefined) => {
    if (stored.draft?.version !== version) throw conflict()
    end()
  }
  const keeper = createKeeper<Doc>({
    first: stored,
    isReadable: (document) => typeof (document as Partial<Doc>).text === 'string',
    saveAfterMs: 1,
    tryAgainMs: 1,
    server: {
      read: () => send('read', () => stored),
      save: ({ version, seen, ...kept }) =>
        send('save', () => {
          if (stored.draft?.version === version) return
          if (stored.draft?.version !== seen) throw conflict()
          write(author, version, kept)
        }),
      discard: (version) => send('discard', () => take(version)),
      publish: (kept, version) =>
        send('publish', () => {
          const present = stored.published?.revision ?? 0
          if (kept.base !== present) throw conflict()
          take(version)
          stored = { published: { revision: present + 1, at: 'now', by: author } }
          return present + 1
        }),
    },
  })
  return { keeper, network }
}

function type({ change }: DraftKeeper<Doc>, text: string, base = 0): void {
  change({ base, document: { text } })
}

const textOf = (keeper: DraftKeeper<Doc>) => keeper.state().kept?.document.text
const saves = (keeper: DraftKeeper<Doc>) => eventually('all is saved', () => isSaved(keeper.state()))

/** One draft, open at two people's. */
async function openTwo() {
  const ana = open('ana')
  type(ana.keeper, 'first')
  await saves(ana.keeper)
  const bia = open('bia')
  assert.equal(textOf(bia.keeper), 'first')
  return { ana, bia }
}

test('what was typed is saved by itself, the newest of it', async () => {
  const { keeper } = open('ana')
  for (const text of ['a', 'ab', 'abc']) type(keeper, text)
  assert.equal(saveOf(keeper.state()), 'saving')
  await saves(keeper)
  assert.equal(stored.draft?.document.text, 'abc')
  type(keeper, 'abcd')
  await keeper.flush()
  assert.equal(stored.draft.document.text, 'abcd')
})

test('the second of two who save at once is told who was first, and nothing is overwritten before the choice', async () => {
  const { ana, bia } = await openTwo()
  type(ana.keeper, 'of ana')
  await ana.keeper.flush()
  type(bia.keeper, 'of bia')
  await bia.keeper.flush()
  const { conflict: found } = bia.keeper.state()
  assert.deepEqual([found?.draft?.author, found?.draft?.document.text], ['ana', 'of ana'])
  type(bia.keeper, 'of bia, more')
  await bia.keeper.flush()
  assert.equal(stored.draft?.document.text, 'of ana')
  assert.equal(textOf(bia.keeper), 'of bia, more')
  assert.equal(isSaved(bia.keeper.state()), false)
})

test('theirs is taken, and mine is kept: each by choice alone', async () => {
  const { ana, bia } = await openTwo()
  type(ana.keeper, 'of ana')
  await ana.keeper.flush()
  type(bia.keeper, 'of bia')
  await bia.keeper.flush()
  bia.keeper.keepMine()
  await saves(bia.keeper)
  assert.equal(stored.draft?.document.text, 'of bia')

  type(ana.keeper, 'of ana again')
  await ana.keeper.flush()
  const { generation } = ana.keeper.state()
  ana.keeper.takeTheirs()
  assert.equal(textOf(ana.keeper), 'of bia')
  assert.ok(ana.keeper.state().generation > generation)
  type(ana.keeper, 'of both')
  await saves(ana.keeper)
  assert.equal(stored.draft.document.text, 'of both')
})

test('who typed nothing follows what others save, and is asked when the draft goes', async () => {
  const { ana, bia } = await openTwo()
  type(ana.keeper, 'more')
  await ana.keeper.flush()
  bia.keeper.refresh(stored)
  assert.equal(textOf(bia.keeper), 'more')
  await ana.keeper.discard()
  bia.keeper.refresh(stored)
  assert.equal(textOf(bia.keeper), 'more')
  assert.deepEqual(bia.keeper.state().conflict, {})
  bia.keeper.keepMine()
  await saves(bia.keeper)
  assert.equal(stored.draft?.document.text, 'more')
})

test('a role that only sees drafts follows everything and saves nothing', async () => {
  const { ana, bia } = await openTwo()
  bia.keeper.setReadOnly(true)
  type(bia.keeper, 'not allowed')
  await bia.keeper.flush()
  await ana.keeper.discard()
  bia.keeper.refresh(stored)
  assert.equal(textOf(bia.keeper), undefined)
  assert.deepEqual(bia.network.calls, [])
})

test('a network that fails loses nothing: it is said, and sent when the network is back', async () => {
  const { keeper, network } = open('ana')
  network.refuse = problem(0, 'offline')
  type(keeper, 'typed')
  await keeper.flush()
  assert.equal(saveOf(keeper.state()), 'failed')
  type(keeper, 'typed offline')
  await eventually('it is tried again', () => network.calls.length > 2)
  assert.equal(textOf(keeper), 'typed offline')
  network.refuse = undefined
  await saves(keeper)
  assert.equal(stored.draft?.document.text, 'typed offline')
})

test('a lost answer is no conflict with oneself: of a save, of discarding, of publishing', async () => {
  const { keeper, network } = open('ana')
  network.lose = 'answer'
  type(keeper, 'one')
  await keeper.flush()
  type(keeper, 'two')
  await saves(keeper)
  assert.equal(stored.draft?.document.text, 'two')
  network.lose = 'answer'
  await assert.rejects(keeper.publish())
  assert.equal(stored.draft, undefined)
  await assert.rejects(keeper.publish())
  assert.equal(keeper.state().conflict?.published?.by, 'ana')
  keeper.takeTheirs()

  type(keeper, 'three', 1)
  await saves(keeper)
  network.lose = 'answer'
  await assert.rejects(keeper.discard())
  await keeper.discard()
  assert.deepEqual([keeper.state().kept, keeper.state().conflict], [undefined, undefined])
})

test('a save that may have arrived is settled before the draft is discarded', async () => {
  const { keeper, network } = open('ana')
  network.lose = 'answer'
  type(keeper, 'one')
  await keeper.flush()
  await keeper.discard()
  assert.equal(stored.draft, undefined)
  assert.equal(isSaved(keeper.state()), true)
})

test('what is refused as it is waits for a change or a person, and is not sent again and again', async () => {
  const { keeper, network } = open('ana')
  network.refuse = problem(413, 'payload_too_large')
  type(keeper, 'too large')
  await keeper.flush()
  assert.equal(saveOf(keeper.state()), 'refused')
  network.refuse = undefined
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(network.calls, ['save'])
  type(keeper, 'smaller')
  await saves(keeper)
  assert.equal(stored.draft?.document.text, 'smaller')
})

test('typing back what is published removes the draft, unless somebody else has saved it since', async () => {
  const { ana, bia } = await openTwo()
  type(bia.keeper, 'of bia')
  await bia.keeper.flush()
  ana.keeper.change(undefined)
  await ana.keeper.flush()
  assert.equal(ana.keeper.state().conflict?.draft?.author, 'bia')
  assert.equal(stored.draft?.document.text, 'of bia')
  ana.keeper.keepMine()
  await saves(ana.keeper)
  assert.equal(stored.draft, undefined)
})

test('publishing ends the draft; what is typed meanwhile is a draft of the new revision', async () => {
  const { keeper } = open('ana')
  type(keeper, 'one')
  await saves(keeper)
  const publishing = keeper.publish()
  type(keeper, 'one and more')
  await publishing
  assert.deepEqual(keeper.state().kept, { base: 1, document: { text: 'one and more' } })
  await saves(keeper)
  assert.deepEqual([stored.draft?.base, revision()], [1, 1])
})

test('nobody publishes over a draft or a revision that they have not seen', async () => {
  const { ana, bia } = await openTwo()
  type(bia.keeper, 'of bia')
  await bia.keeper.flush()
  await assert.rejects(ana.keeper.publish())
  assert.equal(ana.keeper.state().conflict?.draft?.document.text, 'of bia')
  assert.equal(revision(), undefined)
  await bia.keeper.publish()
  ana.keeper.refresh(stored)
  // Keeping one's own after a publication goes on from that revision.
  ana.keeper.keepMine()
  await saves(ana.keeper)
  assert.deepEqual([stored.draft?.base, stored.draft?.document.text], [1, 'first'])
  await ana.keeper.publish()
  assert.equal(revision(), 2)
})

test('a draft that cannot be read here is not shown, and is replaced only by what is typed', async () => {
  write('bia', 'v1', { base: 0, document: {} as Doc })
  const { keeper, network } = open('ana')
  assert.equal(textOf(keeper), undefined)
  await keeper.flush()
  assert.deepEqual(network.calls, [])
  type(keeper, 'readable')
  await saves(keeper)
  assert.equal(stored.draft?.document.text, 'readable')
})
