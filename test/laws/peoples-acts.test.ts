// Every door of people's acts is in one table with every rule: the API, the dashboard, the console and the commands. A cell is walked by a test
// from outside, or says why the rule does not apply there. A new door, or a new act of a walk's, that is in no cell fails.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operatorRoutes } from '#/dashboard/operator/operator-routes.ts'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { routes } from '#/http/routes.ts'
import { needsFactor, type Concern } from '#/people/concern.ts'
import { shownBy } from '../dashboard/shown.ts'
import {
  actsAlone,
  actsByCommand,
  commandsAlone,
  foundCommands,
  refusedToMembers,
  rightsGiven,
  rules,
  walks,
  type Sort,
} from './peoples-doors.ts'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

const ofApi = routes.filter(({ method }) => method !== 'GET')
const ofConsole = operatorRoutes.filter(({ method }) => method !== 'GET')
const consoleIds = new Set(ofConsole.map(({ operationId }) => operationId))
const ofDashboard = dashboardRoutes.filter(
  ({ method, operationId }) => method !== 'GET' && !consoleIds.has(operationId),
)
const shown: ReadonlySet<string> = new Set(Object.values(shownBy).flat())

test('each rule is walked at each sort of door, or says why it does not apply, and each test is there', () => {
  for (const [sort, cells] of Object.entries(walks))
    for (const rule of rules) {
      const cell = cells[rule]
      const walkedBy = 'because' in cell ? [] : cell
      assert.ok('because' in cell || walkedBy.length > 0, `${sort} ${rule}`)
      for (const path of walkedBy) assert.ok(existsSync(join(root, path)), path)
    }
})

test('a right is asked at each door: a scope, a permission, or it is one’s own', () => {
  assert.deepEqual(
    ofApi.filter(({ scope }) => scope === undefined).map(({ operationId }) => operationId),
    [],
  )
  const open = ofDashboard.filter((route) => route.access === 'member' && route.permission === undefined)
  assert.deepEqual(
    open.map(({ operationId }) => operationId),
    [],
  )
  for (const route of ofConsole) {
    assert.ok(route.access === 'operator', route.operationId)
    assert.ok(['operator:write', 'operator:approve'].includes(route.permission), route.operationId)
  }
  // What anyone may call signs in, or shows that a link is theirs.
  assert.deepEqual(
    ofDashboard
      .filter(({ access, concern }) => access === 'anyone' && !isSigningIn(concern))
      .map(({ operationId }) => operationId),
    [],
  )
})

const isSigningIn = (concern: Concern | undefined) =>
  typeof concern === 'object' && concern.none.includes('signs in')

test('a factor is asked at each door in the browser that concerns money, people, payers or events', () => {
  for (const act of [...ofApi, ...ofDashboard, ...ofConsole]) {
    const { concern, operationId } = act
    assert.ok(concern !== undefined, `${operationId} says nowhere what it concerns`)
    assert.equal(needsFactor(act), typeof concern === 'string' && concern !== 'asks', operationId)
  }
  // What moves what the two rules below are about is never free.
  const free = ofConsole.filter((act) => !needsFactor(act)).map(({ operationId }) => operationId)
  const both = free.filter((id) => actsAlone[id] === undefined || refusedToMembers[id] !== undefined)
  assert.deepEqual(both, [])
})

test('a row is written at each door: each act says how (the types of routes ask for it), and a walk sees it', () => {
  const own = [...ofDashboard, ...ofConsole].map(({ operationId }) => operationId)
  assert.deepEqual(
    own.filter((id) => !shown.has(id)),
    [],
    'acts that no dashboard shows: test/dashboard/shown.ts',
  )
  // What leaves no row moves no money and gives no right.
  for (const act of dashboardRoutes.filter(({ unaudited }) => unaudited !== undefined)) {
    const { concern } = act
    const isNothing = concern === 'asks' || typeof concern === 'object'
    assert.ok(isNothing && act.method !== 'GET', `${act.operationId} concerns something and leaves no row`)
  }
  const commands = textOf('src/cli/audited-commands.test.ts') + textOf('test/commands-without-entries.ts')
  assert.ok(commands.includes('every command is on one of the lists'))
})

test('a member of the merchant is not alone at any door of the operator: each act is walked, refused or excused', async () => {
  const interest = textOf('test/dashboard/operator-interest.test.ts')
  const walked = (id: string) => new RegExp(`^ {2}${id}: \\{$`, 'm').test(interest)
  const unjudged = ofConsole
    .map(({ operationId }) => operationId)
    .filter((id) => !walked(id) && actsAlone[id] === undefined)
  assert.deepEqual(unjudged, [])
  const byRoute = new Map(operatorRoutes.map((route) => [`${route.method} ${route.path}`, route]))
  const rows = actsByCommand()
  const doors = await foundCommands()
  assert.ok(doors.length > 100, `${doors.length} commands`)
  const wrong: string[] = []
  for (const command of doors) {
    const paths = rows.get(command) ?? []
    const same = paths.flatMap((path) => byRoute.get(path) ?? [])
    const excuses = commandsAlone.filter(([, pattern]) => pattern.test(command))
    const isRefused = refusedToMembers[`command: ${command}`] !== undefined
    const judged = Number(same.length > 0) + excuses.length + Number(isRefused)
    if (judged !== 1) wrong.push(`${command}: ${judged} judgements`)
  }
  assert.deepEqual(
    wrong,
    [],
    'a command is judged as its act of the console, or is in peoples-doors.ts, once',
  )
  assert.deepEqual(
    commandsAlone
      .filter(([, pattern]) => !doors.some((door) => pattern.test(door)))
      .map(([because]) => because),
    [],
  )
})

test('what asks about members is asked in one place, and commands say whether theirs is a sandbox', () => {
  const files = globSync('src/operator/**/*.ts', { cwd: root }).map((path) => [path, textOf(path)] as const)
  const refusing = [...new Set(Object.values(refusedToMembers))]
  for (const name of refusing) {
    const [, text = ''] = files.find(([, each]) => each.includes(`function ${name}(`)) ?? []
    const body = text.slice(text.indexOf(`function ${name}(`)).split(/\n}\n/)[0] ?? ''
    assert.match(body, /requireAlone\(/, `${name} does not ask who is a member`)
  }
  // A function of this folder that asks and is not in the table is a door that nobody has judged.
  const asking = files
    .filter(([path]) => !path.endsWith('/interest.ts'))
    .flatMap(([, text]) => text.split(/\n}\n/))
    .filter((part) => /await requireAlone\(/.test(part))
    .map((part) => /function (\w+)\(/.exec(part)?.[1])
  assert.deepEqual(new Set(asking), new Set(refusing))
  const deciding = [
    ...refusing,
    'decideSuspense',
    'decideTerms',
    'decideWithdrawal',
    'decideRefund',
    'approveProposal',
  ]
  // The commands of acts, which all are told.
  assert.match(textOf('src/cli/act-commands.ts'), /const operator = operatorHere\(call\.deps\.config\(\)\)/)
  for (const path of globSync('src/cli/*.ts', { cwd: root }))
    for (const name of deciding) {
      const blind = new RegExp(`\\b${name}\\([^;]{0,160}?operatorHere\\(\\)`)
      assert.doesNotMatch(textOf(path), blind, `${path}: ${name} is not told whether this is a sandbox`)
    }
})

test('nobody gives more than they have: each act that concerns people has a line, and a test that names it', () => {
  const people = [...ofApi, ...ofDashboard, ...ofConsole]
    .filter(({ concern }) => concern === 'people')
    .map(({ operationId }) => operationId)
  assert.deepEqual(Object.keys(rightsGiven).toSorted(), people.toSorted())
  for (const path of Object.values(rightsGiven)) assert.ok(existsSync(join(root, path)), path)
})

test('every act is at a door of one sort', () => {
  const sorts: Readonly<Record<Sort, number>> = {
    api: ofApi.length,
    dashboard: ofDashboard.length,
    console: ofConsole.length,
    command: actsByCommand().size,
  }
  for (const [sort, many] of Object.entries(sorts)) assert.ok(many > 20, `${sort}: ${many}`)
})
