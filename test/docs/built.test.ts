// What the built pages show is what test/docs/commands.test.ts runs, letter by letter: decision 142.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPages } from '#/reference/links.ts'
import { builtBlocks } from './built.ts'
import { blocksOf, root } from './page.ts'

test('every code block of the built pages is the block of its file, with its notes', async () => {
  let compared = 0
  for (const [page, name] of findPages(root)) {
    const built = await builtBlocks(name)
    const written = blocksOf(page)
    const shown = ({ text, language, line }: { text: string; language: string; line: number }) => ({
      line,
      language,
      text,
    })
    assert.deepEqual(built.map(shown), written.map(shown), page)
    for (const [index, { notes }] of written.entries())
      for (const [name, value] of notes) {
        assert.ok(
          built[index]?.notes.includes(`<!-- ${name}${value === '' ? '' : `: ${value}`} -->`),
          `${page}: ${name}`,
        )
      }
    compared += built.length
  }
  assert.ok(compared > 100, `${compared} blocks`)
})
