// Every command of the documents is run as it is written, page by page, on one sandbox: decision 93.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isSoak } from '../counts.ts'
import { blocksOf, faultsOf, isShell, pages, placeOf, readBlocks, shapeFaults, type Block } from './page.ts'
import { openNewcomer, type Call, type Newcomer, type PageRun } from './shell.ts'

/** What `npm test` runs of it; the soak runs every page. */
const quickPages = ['README.md', 'docs/integrating.md']

const runs = (block: Block) => isShell(block) && !block.notes.has('not run')
const withCommands = pages().filter((page) => blocksOf(page).some(runs))

test('every block of the documents is run, compared, or says why not', () => {
  const blocks = pages().flatMap(blocksOf)
  assert.deepEqual(faultsOf(blocks), [])
  // Without these the rest would hold of nothing.
  assert.ok(blocks.filter(runs).length >= 40, `${blocks.filter(runs).length} blocks are run`)
  assert.ok(withCommands.length >= 10, `${withCommands.length} pages have commands`)
  for (const page of quickPages) assert.ok(withCommands.includes(page), page)
})

test('a block that is neither run nor has a reason is found, and so is a false answer', () => {
  const faults = (text: string) => faultsOf(readBlocks('a.md', text))
  assert.deepEqual(faults('<!-- not run: needs a bank -->\n```sh\nnpm start\n```\n'), [])
  assert.deepEqual(faults('<!-- not run: -->\n```sh\nnpm start\n```\n'), [
    'a.md:2: "not run" without a reason',
  ])
  assert.deepEqual(faults('```\n./vintem verify\n```\n'), [
    'a.md:1: commands in a block that is not marked sh',
  ])
  assert.deepEqual(faults('```json\n{}\n```\n'), ['a.md:1: neither a file nor an answer, and no reason'])
  assert.throws(() => readBlocks('a.md', '<!-- skipped: why -->\n```sh\nls\n```\n'), /nothing knows the note/)
  assert.deepEqual(shapeFaults({ a: 1, b: [{ c: 'x' }] }, { a: 2, b: [{ c: 'y', d: 1 }], e: 1 }), [])
  assert.deepEqual(shapeFaults({ a: '1', b: [{ x: 1 }], z: 1 }, { a: 1, b: [{ c: 1 }] }), [
    '/a: a number',
    '/b/0/x: not there',
    '/z: not there',
  ])
})

let newcomer: Newcomer | undefined

before(async () => {
  newcomer = await openNewcomer()
})

after(async () => {
  await newcomer?.[Symbol.asyncDispose]()
})

for (const page of withCommands.filter((each) => isSoak || quickPages.includes(each)))
  test(`${page}: its commands do what it says`, async () => {
    const blocks = blocksOf(page)
    const run = await newcomer?.run(blocks)
    assert.ok(run !== undefined)
    assert.deepEqual(refusalsOf(blocks, run), [])
    assert.equal(run.failure, undefined)
    for (const [index, block] of blocks.entries())
      if (block.notes.has('answer')) {
        const above = blocks.slice(0, index).findLast((each) => run.calls.has(each))
        const last = above === undefined ? undefined : run.calls.get(above)?.at(-1)
        assert.ok(last !== undefined, `${placeOf(block)}: no answer above it`)
        assert.deepEqual(shapeFaults(JSON.parse(block.text), JSON.parse(last.body)), [], placeOf(block))
      }
  })

/** Calls that were refused and should not have been, or the other way round. */
function refusalsOf(blocks: readonly Block[], { calls }: PageRun): readonly string[] {
  return blocks.filter(runs).flatMap((block) => {
    const refused = (calls.get(block) ?? []).filter(({ status }) => status < 200 || status >= 400)
    const expected = block.notes.get('refused')?.split(', ') ?? []
    if (refused.map(refusalOf).join(', ') === expected.join(', ')) return []
    const found = refused.map((call) => `${refusalOf(call)} ${call.url}: ${call.body.slice(0, 600)}`)
    return [
      `${placeOf(block)}: ${expected.join(', ') || 'nothing'} was to be refused, not ${found.join('; ') || 'nothing'}`,
    ]
  })
}

/** `409 idempotency_conflict`; 0 stands for no answer. */
function refusalOf({ status, body }: Call): string {
  try {
    return `${status} ${String((JSON.parse(body) as { readonly code?: unknown }).code)}`
  } catch {
    return String(status)
  }
}
