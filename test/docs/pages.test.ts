// What the pages as a whole must have: each is in the menu, each method has one, and the lines of the checklists have ids that stay.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemCodes } from '#/contract/problems.ts'
import { problems } from '#/kernel/error.ts'
import { descriptors } from '#/rails/methods.ts'
import { railModules } from '#/rails/registry.ts'
import { readSections } from '#/reference/sections.ts'
import { root } from './page.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('every page of docs/ is in the menu once, and every entry of the menu is a file', () => {
  const listed = readSections(read('docs/README.md')).flatMap(({ entries }) =>
    entries.map(({ file }) => file),
  )
  for (const file of listed) read(file)
  const pages = globSync('docs/**/*.md', { cwd: root }).map((name) => name.replaceAll('\\', '/'))
  assert.deepEqual(
    listed.filter((file) => file.startsWith('docs/')).toSorted(),
    pages.filter((file) => file !== 'docs/README.md').toSorted(),
  )
})

test('every page of a method is the page of one method', () => {
  const pages = globSync('*.md', { cwd: join(root, 'docs/methods') })
  assert.deepEqual(pages.toSorted(), descriptors.map(({ docs }) => docs).toSorted())
})

const goingLive = read('docs/going-live.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ text, ids: [...text.matchAll(/^- \[ \] `([^`]+)`: \S/gm)].map(([, id = '']) => id) }))

test('every line of the checklists has an id: one word for its list, and one for itself', () => {
  const lists = goingLive.filter(({ text }) => text.includes('- [ ]'))
  assert.ok(lists.length >= 7, `${lists.length} lists`)
  for (const { text, ids } of lists) {
    assert.equal(ids.length, [...text.matchAll(/^- \[/gm)].length, text.split('\n')[0] ?? '')
    assert.equal(new Set(ids.map((id) => id.split('.')[0])).size, 1, ids.join(', '))
    for (const id of ids) assert.match(id, /^[a-z]+\.[a-z]+(?:-[a-z]+)*$/)
  }
  const all = lists.flatMap(({ ids }) => ids)
  assert.equal(new Set(all).size, all.length, 'two lines have one id')
})

test('every kind of connection has its provider in one checklist', () => {
  for (const { method, providers } of railModules.flatMap(({ connections }) => connections))
    for (const provider of providers) {
      const named = goingLive.filter(({ text }) =>
        new RegExp(`\`${method}\` by [^.;]*\`${provider}\``).test(text),
      )
      assert.equal(named.length, 1, `${method} by ${provider}`)
    }
})

test('every code of an error has its part of the page, with its status', () => {
  const parts = [...read('docs/problems.md').matchAll(/^## `([a-z_]+)`\n\n\*\*(\d{3})\.\*\*/gm)]
  assert.deepEqual(
    parts.map(([, code, status]) => `${status} ${code}`).toSorted(),
    problemCodes.map((code) => `${problems[code].status} ${code}`).toSorted(),
  )
})
