// Reads the fenced blocks of the documents, and the notes in comments above them: decision 93.
//   <!-- not run: why -->          these commands are not run
//   <!-- refused: 409 code, … -->  the refused calls of these commands, in order
//   <!-- file: name -->            the text is saved under this name, for the commands that follow
//   <!-- answer -->                the text has the shape of the last answer above it
//   <!-- sample: name -->         this block and those after it are written by scripts/samples, one for each language
//   <!-- not checked: why -->      JSON or a program that cannot be compared with anything here
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

const noteNames = ['not run', 'refused', 'file', 'answer', 'not checked', 'sample'] as const
type NoteName = (typeof noteNames)[number]

export type Block = {
  readonly page: string
  /** The line of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  readonly notes: ReadonlyMap<NoteName, string>
}

/** Every page with instructions for readers, README first; decisions have none. */
export function pages(): readonly string[] {
  const found = globSync(
    [
      'README.md',
      'CONTRIBUTING.md',
      'docs/**/*.md',
      '{src,simulators}/**/README.md',
      'sdk/*/README.md',
      'examples/*/README.md',
    ],
    { cwd: root, exclude: ['**/node_modules/**'] },
  )
  return found
    .map((each) => each.replaceAll('\\', '/'))
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function rank(page: string): number {
  return ['README.md', 'docs/integrating.md'].indexOf(page) === -1 ? 9 : page === 'README.md' ? 0 : 1
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  return readBlocks(page, readFileSync(join(root, page), 'utf8'))
}

/** The fenced blocks of a text. Throws for a fence without an end, and for an unknown note. */
export function readBlocks(page: string, text: string): readonly Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, fence, language] = /^( *)(```+|~~~+)\s*(\w*)/.exec(lines[at] ?? '') ?? []
    if (indent === undefined || fence === undefined) continue
    const end = lines.findIndex((line, index) => index > at && line.trim() === fence)
    assert.notEqual(end, -1, `${page}:${at + 1}: a fence without an end`)
    const inside = lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent.length, line.length)))
    blocks.push({
      page,
      line: at + 1,
      language: language ?? '',
      text: inside.join('\n'),
      notes: notesAbove(page, lines, at),
    })
    at = end
  }
  return blocks
}

/** The comments in the lines right above a fence. */
function notesAbove(page: string, lines: readonly string[], fence: number): ReadonlyMap<NoteName, string> {
  const notes = new Map<NoteName, string>()
  for (let at = fence - 1; at >= 0; at -= 1) {
    const [, written] = /^\s*<!--\s*(.*?)\s*-->$/.exec(lines[at] ?? '') ?? []
    if (written === undefined) break
    const [given = '', ...rest] = written.split(':')
    const name = noteNames.find((each) => each === given)
    assert.ok(name !== undefined, `${page}:${at + 1}: unknown note "${given}"`)
    notes.set(name, rest.join(':').trim())
  }
  return notes
}

export function isShell({ language }: Block): boolean {
  return language === 'sh' || language === 'bash'
}

/** The block's page and line. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`
}

/** The faults of blocks that are neither run nor compared and give no reason. */
export function faultsOf(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap((block) => {
    const place = placeOf(block)
    const { language, notes, text } = block
    const faults: string[] = []
    for (const name of ['not run', 'not checked'] as const)
      if ((notes.get(name) ?? 'a reason').length < 8) faults.push(`${place}: "${name}" without a reason`)
    if (isShell(block)) {
      if (notes.has('not run') && notes.has('refused')) faults.push(`${place}: not run, and refused`)
      if (text.trim() === '') faults.push(`${place}: no command`)
    } else if (notes.has('not run') || notes.has('refused')) faults.push(`${place}: no commands to run`)
    else if (['json', 'js'].includes(language)) {
      if (![...notes.keys()].some((name) => ['file', 'answer', 'not checked'].includes(name)))
        faults.push(`${place}: neither a file nor an answer, and no reason`)
    } else if (/^\s*(?:\$ )?(?:\.\/vintem|npm|npx|curl|node|export)\s/m.test(text))
      faults.push(`${place}: commands in a block that is not marked sh`)
    return faults
  })
}

/** The places where a shown answer has a key that the real one lacks, or a value of another type. */
export function shapeFaults(shown: unknown, real: unknown, at = ''): readonly string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [`${at}: not a list`]
    const [first] = real as readonly unknown[]
    if (first === undefined) return shown.length === 0 ? [] : [`${at}: an empty list`]
    return shown.flatMap((each: unknown, index) => shapeFaults(each, first, `${at}/${index}`))
  }
  if (typeof shown !== 'object' || shown === null)
    return typeof shown === typeof real ? [] : [`${at}: a ${typeof real}`]
  if (typeof real !== 'object' || real === null || Array.isArray(real)) return [`${at}: not an object`]
  return Object.entries(shown).flatMap(([name, value]) =>
    name in real
      ? shapeFaults(value, (real as Record<string, unknown>)[name], `${at}/${name}`)
      : [`${at}/${name}: not there`],
  )
}
