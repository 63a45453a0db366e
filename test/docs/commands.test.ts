// Runs every command of the documents as it is written, page by page, on one sandbox: decision 93.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { readConnectionFile } from '#/cli/connection-file.ts'
import { railModules } from '#/rails/registry.ts'
import { isSoak } from '../counts.ts'
import { blocksOf, faultsOf, isShell, pages, placeOf, readBlocks, shapeFaults, type Block } from './page.ts'
import { runSamples } from './samples.ts'
import { openFolder, openNewcomer, type Call, type Newcomer, type PageRun } from './shell.ts'

/** The pages that `npm test` runs; the soak runs every page. */
const quickPages = ['README.md', 'docs/README.md', 'docs/samples.md', 'docs/start.md']

const runs = (block: Block) => isShell(block) && !block.notes.has('not run')
const withCommands = pages().filter((page) => blocksOf(page).some(runs))

test('every block of the documents is run, compared, or gives a reason why not', () => {
  const blocks = pages().flatMap(blocksOf)
  assert.deepEqual(faultsOf(blocks), [])
  // Without these minimums the test could pass with no blocks.
  assert.ok(blocks.filter(runs).length >= 30, `${blocks.filter(runs).length} blocks are run`)
  assert.ok(withCommands.length >= 10, `${withCommands.length} pages have commands`)
  for (const page of quickPages) assert.ok(withCommands.includes(page), page)
})

test('a block that is neither run nor has a reason is reported, and so is a false answer', () => {
  const faults = (text: string) => faultsOf(readBlocks('a.md', text))
  assert.deepEqual(faults('<!-- not run: needs a bank -->\n```sh\nnpm start\n```\n'), [])
  assert.deepEqual(faults('<!-- not run: -->\n```sh\nnpm start\n```\n'), [
    'a.md:2: "not run" without a reason',
  ])
  assert.deepEqual(faults('```\n./vintem verify\n```\n'), [
    'a.md:1: commands in a block that is not marked sh',
  ])
  assert.deepEqual(faults('```json\n{}\n```\n'), ['a.md:1: neither a file nor an answer, and no reason'])
  assert.throws(() => readBlocks('a.md', '<!-- skipped: why -->\n```sh\nls\n```\n'), /unknown note/)
  assert.deepEqual(shapeFaults({ a: 1, b: [{ c: 'x' }] }, { a: 2, b: [{ c: 'y', d: 1 }], e: 1 }), [])
  assert.deepEqual(shapeFaults({ a: '1', b: [{ x: 1 }], z: 1 }, { a: 1, b: [{ c: 1 }] }), [
    '/a: a number',
    '/b/0/x: not there',
    '/z: not there',
  ])
})

test('the connection files that the pages show are valid', async () => {
  await using folder = await openFolder()
  const shown = pages()
    .flatMap(blocksOf)
    .filter(({ text, notes }) => notes.has('file') && text.includes('"provider"'))
  const types = railModules.flatMap(({ connections }) => connections)
  for (const block of shown) {
    const { provider } = JSON.parse(block.text) as { readonly provider: string }
    const type = types.find(({ providers }) => providers.includes(provider))
    assert.ok(type !== undefined, `${placeOf(block)}: no connection type has the provider ${provider}`)
    const path = join(folder.home, block.notes.get('file') ?? '')
    await writeFile(path, block.text)
    const read = await readConnectionFile(type, path)
    assert.deepEqual(read.ok ? [] : read.faults, [], placeOf(block))
  }
  assert.equal(shown.length, 7)
})

suite('on one sandbox', () => {
  let newcomer: Newcomer | undefined

  before(async () => {
    newcomer = await openNewcomer()
  })

  after(async () => {
    await newcomer?.[Symbol.asyncDispose]()
  })

  test('an unset variable, a failed command and a refusal each end a page, and are reported with their place', async () => {
    const runOf = async (text: string) => {
      const blocks = readBlocks('a.md', text)
      const run = await newcomer?.run(blocks)
      assert.ok(run !== undefined)
      return [run.failure?.split('\n')[0], ...refusalsOf(blocks, run).map((each) => each.split(' http')[0])]
    }
    assert.deepEqual(await runOf('```sh\necho "$NEVER_SET"\n```\n'), ['a.md:1: ended with 1'])
    assert.deepEqual(await runOf('```sh\ntrue\n```\n\n```sh\nfalse | cat\n```\n'), ['a.md:5: ended with 1'])
    const call =
      '```sh\nuntil curl -sS http://127.0.0.1:4000/v1/nothing | grep found; do sleep 1; done\n```\n'
    assert.deepEqual(await runOf(call), [
      'a.md:1: ended with 143',
      'a.md:1: expected refusals: none, found: 404 not_found',
    ])
    assert.deepEqual(
      await runOf(`<!-- refused: 404 not_found -->\n${call.replace('until ', '').replace(/ \| .*done/, '')}`),
      [undefined],
    )
  })

  test('a sandbox that was started serves the documents as a site', async () => {
    const ask = () => fetch(`${newcomer?.apiUrl ?? ''}/docs/start`)
    let answer = await ask()
    // It is read, and built where it is stale, when the API is ready.
    while (answer.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      answer = await ask()
    }
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /<h1 id="start-in-five-minutes">Start in five minutes<\/h1>/)
  })

  test('the samples in TypeScript make their calls', async () => {
    assert.ok(newcomer !== undefined)
    await runSamples(newcomer, 'ts')
  })

  for (const page of withCommands.filter((each) => isSoak || quickPages.includes(each)))
    test(`${page}: its commands do what the page says`, async () => {
      const blocks = blocksOf(page)
      const run = await newcomer?.run(blocks)
      assert.ok(run !== undefined)
      assert.deepEqual(refusalsOf(blocks, run), [])
      assert.equal(run.failure, undefined)
      for (const block of blocks.filter(({ notes }) => notes.has('answer')))
        assert.deepEqual(
          shapeFaults(JSON.parse(block.text), answerAbove(block, blocks, run)),
          [],
          placeOf(block),
        )
    })
})

/** The answer to the last call above this block. */
function answerAbove(block: Block, blocks: readonly Block[], { calls }: PageRun): unknown {
  const above = blocks.slice(0, blocks.indexOf(block)).flatMap((each) => calls.get(each) ?? [])
  const last = above.at(-1)
  assert.ok(last !== undefined, `${placeOf(block)}: no answer above it`)
  return JSON.parse(last.body)
}

/** Reports the blocks whose refused calls differ from the expected ones. */
function refusalsOf(blocks: readonly Block[], { calls }: PageRun): readonly string[] {
  return blocks.filter(runs).flatMap((block) => {
    const refused = (calls.get(block) ?? []).filter(({ status }) => status < 200 || status >= 400)
    const expected = block.notes.get('refused')?.split(', ') ?? []
    if (refused.map(refusalOf).join(', ') === expected.join(', ')) return []
    const found = refused.map((call) => `${refusalOf(call)} ${call.url}: ${call.body.slice(0, 600)}`)
    return [
      `${placeOf(block)}: expected refusals: ${expected.join(', ') || 'none'}, found: ${found.join('; ') || 'none'}`,
    ]
  })
}

/** Status and code, such as `409 idempotency_conflict`; status 0 means no answer. */
function refusalOf({ status, body }: Call): string {
  try {
    return `${status} ${String((JSON.parse(body) as { readonly code?: unknown }).code)}`
  } catch {
    return String(status)
  }
}
