// docs/console.md names every command with its route, or says why there is none; and every route of the console.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandNames, findCommand } from '#/cli/commands.ts'
import { readConfig } from '#/config.ts'
import { operatorRoutes } from '#/dashboard/operator/operator-routes.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { acts } from '#/operator/acts/all.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/console.md'), 'utf8')

type Row = { readonly command: string; readonly where: string }

/** The rows of the table of commands. */
const rows: readonly Row[] = text.split('\n').flatMap((line) => {
  const [, command, where] = /^\| `([a-z][a-z -]*\*?)` \| (.+) \| [^|]+ \|$/.exec(line) ?? []
  return command === undefined || where === undefined ? [] : [{ command, where }]
})

const routesIn = (where: string) =>
  [...where.matchAll(/`([A-Z]+ \/operator[^`]*)`/g)].map(([, route]) => route ?? '')

/** The words that the help of a command lists: none for one that is no group. */
async function wordsOf(name: string): Promise<readonly string[]> {
  let out = ''
  const streams = { stdout: { write: (part: string) => (out += part) }, stderr: { write: () => true } }
  const [first = '', ...rest] = name.split(' ')
  const terminal = createTerminal(streams, {})
  await findCommand(first)([...rest, '--help'], { terminal, config: () => readConfig({}) })
  return out.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)(?: |$)/.exec(line)?.[1] ?? [])
}

async function commandsOf(name: string): Promise<readonly string[]> {
  const words = await wordsOf(name)
  if (words.length === 0) return [name]
  return words.map((word) => `${name} ${word}`)
}

/** What is no group, or is one row for all of its words. */
const single = new Set([
  'help',
  ...rows.flatMap(({ command }) => (command.endsWith(' *') ? [command.slice(0, -2)] : [])),
])

test('every command has a row, and every row a command', async () => {
  assert.ok(rows.length > 60, `${rows.length} rows`)
  const found: string[] = []
  for (const name of commandNames) {
    if (single.has(name)) {
      found.push(name === 'help' ? name : `${name} *`)
      continue
    }
    for (const command of await commandsOf(name))
      found.push(...(command === 'withdrawal destination' ? await commandsOf(command) : [command]))
  }
  assert.deepEqual(rows.map(({ command }) => command).toSorted(), found.toSorted())
})

test('every row names routes that exist, or says why there is none', () => {
  const known = new Set(operatorRoutes.map(({ method, path }) => `${method} ${path}`))
  for (const { command, where } of rows) {
    const routes = routesIn(where)
    if (routes.length === 0) assert.match(where, /^only a command, because /, command)
    for (const route of routes) assert.ok(known.has(route), `${command}: there is no ${route}`)
  }
})

test('a command of an act is in the row of the act’s route, and one without a route says why', () => {
  const named = new Map(rows.map(({ command, where }) => [command, where]))
  for (const { commands, console: door } of acts)
    for (const command of Object.keys(commands)) {
      const where = named.get(command) ?? ''
      if (door === undefined) assert.match(where, /^only a command, because /, command)
      else assert.ok(routesIn(where).includes(door.route), `${command}: ${door.route}`)
    }
  assert.ok(acts.length > 25, `${acts.length} acts`)
})

test('every route of the console is in the document', () => {
  const named = new Set(routesIn(text))
  const missing = operatorRoutes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((each) => !named.has(each))
  assert.deepEqual(missing, [])
  assert.equal(named.size, operatorRoutes.length)
})
