// The steps of a move on a real directory and two servers in memory: whatever is cut off, the next run continues, and two servers are never
// open at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { ConnectionLost } from '#/db/failure.ts'
import { AppError } from '#/kernel/error.ts'
import { movingServer } from '../../test/moving-server.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { addCell, listCells, openDirectory, type Directory } from './directory.ts'
import type { ServerFacts, Wish } from './move-decision.ts'
import type { MoveServers } from './move-servers.ts'
import { moveCell, type MoveDeps } from './move.ts'
import { selectOpenMove } from './server-queries.ts'

const [source, target] = ['db-1:5432', 'db-2:5432']

let database: TestDatabase
let directory: Directory
let owner: Sql

before(async () => {
  database = await testDatabase()
  owner = connect(database.ownerUrl, { max: 1 })
  await owner`create schema directory`
  const url = new URL(database.ownerUrl)
  url.searchParams.set('search_path', 'directory,public,pg_catalog')
  directory = await openDirectory(url.href)
  await addCell(directory, 'ana', { code: 'a1', servers: ['10.0.0.1:4000'], books: 'postgres://db-1/vintem' })
})
after(async () => {
  await directory.close()
  await owner.end()
  await database[Symbol.asyncDispose]()
})

type Act = Exclude<keyof MoveServers, 'facts' | 'behindBytes'>

/** Two servers, of which the second is a standby of the first. `acts`: in their order. */
function openServers() {
  const state = {
    isSourceOpen: true,
    isTargetOpen: true,
    isPrimary: false,
    isAway: false,
    hasSlot: false,
    acts: [] as Act[],
  }
  const facts: ServerFacts = { ...movingServer, startedAt: source }
  const servers: MoveServers = {
    async facts(server) {
      if (server === source) return { ...facts, isOpen: state.isSourceOpen, hasSlot: state.hasSlot }
      if (state.isAway) throw new ConnectionLost('away', 'CONNECTION_CLOSED')
      return { ...facts, startedAt: target, isStandby: !state.isPrimary, isOpen: state.isTargetOpen }
    },
    behindBytes: async () => 0,
    keepSlot: async () => void (state.hasSlot = true),
    dropSlot: async () => void (state.hasSlot = false),
    async setOpen(server, isOpen) {
      if (server === source) state.isSourceOpen = isOpen
      else assert.ok(state.isPrimary, 'a standby takes no writes')
      if (server === target) state.isTargetOpen = isOpen
      assert.ok(!(state.isPrimary && state.isSourceOpen && state.isTargetOpen), 'two servers take writes')
    },
    async empty() {
      assert.equal(state.isSourceOpen, false, 'sessions would come again')
      return '0/1'
    },
    async awaitReplay(_target, lsn) {
      assert.equal(lsn, '0/1')
      if (state.isAway) throw new ConnectionLost('away', 'CONNECTION_CLOSED')
      state.isTargetOpen = false
    },
    async promote() {
      if (state.isPrimary) return true
      assert.equal(state.isTargetOpen, false, 'it lacks what was written before the source was closed')
      state.isPrimary = true
      return true
    },
  }
  return { state, servers }
}

type World = ReturnType<typeof openServers>

/** Before or after which act the command is killed: from then on it does nothing. */
type Kill = { readonly act: number; readonly isDone: boolean }

/** Resolves with `KILLED` where the command was killed. */
async function run(
  { state, servers }: World,
  wish: Wish,
  {
    kill,
    target: to,
    say = () => {},
  }: { readonly kill?: Kill; readonly target?: string; readonly say?: MoveDeps['say'] } = {},
) {
  const killed = Promise.withResolvers<'KILLED'>()
  let number = 0
  /** The act; a killed command hangs there for ever. */
  const acting = <Args extends unknown[], Result>(name: Act, act: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      const isHere = kill?.act === number++
      if (isHere && !kill?.isDone) return hang()
      state.acts.push(name)
      const result = await act(...args)
      return isHere ? hang() : result
    }
  }
  const hang = (): Promise<never> => {
    killed.resolve('KILLED')
    return new Promise(() => {})
  }
  const deps: MoveDeps = {
    directory,
    cell: 'a1',
    who: 'ana',
    source,
    target: to,
    servers: {
      ...servers,
      keepSlot: acting('keepSlot', servers.keepSlot),
      dropSlot: acting('dropSlot', servers.dropSlot),
      setOpen: acting('setOpen', servers.setOpen),
      empty: acting('empty', servers.empty),
      awaitReplay: acting('awaitReplay', servers.awaitReplay),
      promote: acting('promote', servers.promote),
    },
    readBooks: async () => ({
      systemIdentifier: movingServer.systemIdentifier,
      startedAt: source,
      cell: 'a1',
      schemas: 1,
    }),
    isNamed: async (startedAt) => startedAt === target,
    booksAt: (server) => `postgres://${server}/vintem`,
    say,
  }
  return Promise.race([moveCell(deps, wish), killed.promise])
}

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'invalid_state' && message.test(error.message)

const openState = async () => (await selectOpenMove(directory.sql, 'a1'))?.state
const books = async () => (await listCells(directory))[0]?.books

async function begin(world: World): Promise<void> {
  await directory.sql`update cell set books = 'postgres://db-1/vintem'`
  const begun = await run(world, 'FOLLOW', { target })
  assert.deepEqual(begun, { cell: 'a1', source, target, state: 'FOLLOWING', behindBytes: 0 })
}

test('a whole move: the old server is closed first, and the directory names the new one', async () => {
  const world = openServers()
  await begin(world)
  assert.equal(world.state.hasSlot, true)
  const done = await run(world, 'SWITCH')
  assert.ok(done !== 'KILLED' && done.state === 'DONE' && done.closedMs !== undefined)
  assert.deepEqual(world.state.acts, [
    'keepSlot',
    'setOpen',
    'empty',
    'awaitReplay',
    'promote',
    'setOpen',
    'dropSlot',
  ])
  assert.deepEqual([world.state.isSourceOpen, world.state.isTargetOpen], [false, true])
  assert.equal(await books(), 'postgres://db-2:5432/vintem')
  const rows = await directory.sql<{ after: string }[]>`
    select after->>'state' as after from cell_change where action = 'cell.move' order by id`
  assert.deepEqual(
    rows.map((row) => row.after),
    ['FOLLOWING', 'DONE'],
  )
  assert.equal(await openState(), undefined)
  await assert.rejects(run(world, 'FOLLOW', { target }), refused(/has moved away from there/))
})

/** Each act of a switch, cut off before or after it was done. */
const kills = Array.from({ length: 6 }, (_, act) => [
  { act, isDone: false },
  { act, isDone: true },
]).flat()

test('a switch that is killed at any act is completed by the next run', async () => {
  for (const kill of kills) {
    const world = openServers()
    await begin(world)
    assert.equal(await run(world, 'SWITCH', { kill }), 'KILLED')
    const done = await run(world, 'FOLLOW')
    assert.ok(done !== 'KILLED' && done.state === 'DONE', JSON.stringify(kill))
    assert.deepEqual([world.state.isSourceOpen, world.state.isTargetOpen], [false, true])
    assert.equal(await openState(), undefined)
  }
})

test('a switch that is killed is canceled until the target is promoted, and not after it', async () => {
  for (const kill of kills) {
    const world = openServers()
    await begin(world)
    assert.equal(await run(world, 'SWITCH', { kill }), 'KILLED')
    if ((await openState()) === 'CLOSING') {
      const canceled = await run(world, 'CANCEL')
      assert.ok(canceled !== 'KILLED' && canceled.state === 'CANCELED')
      assert.deepEqual([world.state.isSourceOpen, world.state.isPrimary], [true, false], JSON.stringify(kill))
      assert.equal(await books(), 'postgres://db-1/vintem')
      continue
    }
    await assert.rejects(run(world, 'CANCEL'), refused(/has taken over already/))
    assert.equal(world.state.isSourceOpen, false)
    await run(world, 'SWITCH')
    assert.equal(world.state.isTargetOpen, true)
  }
})

test('a cancel that is killed is completed by the next one', async () => {
  for (const act of [0, 1, 2])
    for (const isDone of [false, true]) {
      const world = openServers()
      await begin(world)
      await run(world, 'SWITCH', { kill: { act: 1, isDone: true } })
      assert.equal(await run(world, 'CANCEL', { kill: { act, isDone } }), 'KILLED')
      const canceled = await run(world, 'CANCEL')
      assert.ok(canceled !== 'KILLED' && canceled.state === 'CANCELED')
      assert.deepEqual([world.state.isSourceOpen, world.state.hasSlot], [true, false])
    }
})

test('a target that goes away while callers wait lets the old server be opened again', async () => {
  const world = openServers()
  await begin(world)
  await run(world, 'SWITCH', { kill: { act: 1, isDone: true } })
  world.state.isAway = true
  await assert.rejects(run(world, 'FOLLOW'), refused(/does not answer/))
  assert.deepEqual([await openState(), world.state.isSourceOpen], ['FOLLOWING', true])
  await assert.rejects(run(world, 'SWITCH'), refused(/does not follow .* yet/))
  await run(world, 'CANCEL')
})

test('an old server that keeps the slot has lost the cell all the same, and the command says what to drop there', async () => {
  const world = openServers()
  await begin(world)
  const said: string[] = []
  world.servers.dropSlot = () => Promise.reject(new ConnectionLost('gone', 'CONNECTION_CLOSED'))
  const done = await run(world, 'SWITCH', { say: (text) => said.push(text) })
  assert.ok(done !== 'KILLED' && done.state === 'DONE')
  assert.match(said.at(-1) ?? '', /^db-1:5432 may still have .* \(gone\)\. .* pg_drop_replication_slot\('/)
  assert.equal(await books(), 'postgres://db-2:5432/vintem')
})

test('one that was promoted by somebody else is not used, and nothing is opened', async () => {
  const world = openServers()
  await begin(world)
  await run(world, 'SWITCH', { kill: { act: 0, isDone: true } })
  world.state.isPrimary = true
  await assert.rejects(run(world, 'SWITCH'), refused(/did not promote it/))
  assert.deepEqual([await openState(), world.state.isSourceOpen], ['CLOSING', false])
  world.state.isTargetOpen = false
  await run(world, 'CANCEL')
})

test('a command that another one overtook changes nothing more', async () => {
  const world = openServers()
  await begin(world)
  const { servers } = world
  const overtaken: World = {
    ...world,
    servers: {
      ...servers,
      async awaitReplay(...args) {
        await servers.awaitReplay(...args)
        // The other one is canceled at the same time.
        await directory.sql`update cell_move set state = 'REOPENING' where state = 'CLOSING'`
      },
    },
  }
  await assert.rejects(run(overtaken, 'SWITCH'), refused(/has gone on/))
  assert.equal(world.state.isPrimary, false)
  await run(world, 'CANCEL')
  assert.equal(world.state.isSourceOpen, true)
})

test('other servers than those of the move that has begun are refused', async () => {
  const world = openServers()
  await begin(world)
  await assert.rejects(run(world, 'FOLLOW', { target: 'db-3:5432' }), refused(/to db-2:5432 has begun/))
  await run(world, 'CANCEL')
  await assert.rejects(run(world, 'CANCEL'), refused(/nothing to cancel/))
  await assert.rejects(run(world, 'FOLLOW'), refused(/Name the new server/))
})
