// What a move does next, and what keeps a server from being left or from taking over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movingServer } from '../../test/moving-server.ts'
import {
  faultOfSource,
  faultOfTakeover,
  faultOfTarget,
  isStandbyOf,
  nextStep,
  type BooksFacts,
  type MoveState,
  type ServerFacts,
  type Step,
  type Wish,
} from './move-decision.ts'

const move = { cell: 'a1', source: 'db-1:5432', target: 'db-2:5432' }

const from = movingServer
const books: BooksFacts = { systemIdentifier: '71', startedAt: '1000.1', cell: 'a1', schemas: 1 }
/** The copy that follows. */
const copy: ServerFacts = { ...from, startedAt: '2000.2', isStandby: true }
/** One that was just installed. */
const installed: ServerFacts = { ...from, systemIdentifier: '99', startedAt: '3000.3', isOpen: null }

test('a switch that was cut off is completed whatever is wished; until the promotion it can be canceled instead', () => {
  const steps: readonly (readonly [MoveState | undefined, Readonly<Record<Wish, Step>>])[] = [
    [undefined, { FOLLOW: 'BEGIN', SWITCH: 'BEGIN', CANCEL: 'NONE' }],
    ['FOLLOWING', { FOLLOW: 'REPORT', SWITCH: 'CLOSE', CANCEL: 'END' }],
    ['CLOSING', { FOLLOW: 'HAND_OVER', SWITCH: 'HAND_OVER', CANCEL: 'BACK' }],
    ['PROMOTING', { FOLLOW: 'PROMOTE', SWITCH: 'PROMOTE', CANCEL: 'TOO_LATE' }],
    ['REOPENING', { FOLLOW: 'REOPEN', SWITCH: 'REOPEN', CANCEL: 'REOPEN' }],
    ['DONE', { FOLLOW: 'BEGIN', SWITCH: 'BEGIN', CANCEL: 'NONE' }],
    ['CANCELED', { FOLLOW: 'BEGIN', SWITCH: 'BEGIN', CANCEL: 'NONE' }],
  ]
  for (const [state, expected] of steps)
    for (const wish of ['FOLLOW', 'SWITCH', 'CANCEL'] as const)
      assert.equal(nextStep(state, wish), expected[wish], `${state} ${wish}`)
})

test('a server that cannot be left says why, and what to do', () => {
  const faultWith = (
    facts: Partial<ServerFacts>,
    found: Partial<BooksFacts> | null = {},
    directory = '55',
  ): string =>
    faultOfSource(
      move,
      { ...from, ...facts },
      found === null ? undefined : { ...books, ...found },
      directory,
    ) ?? 'none'
  assert.equal(faultWith({}), 'none')
  for (const [fault, expected] of [
    [faultWith({ isSuperuser: false, role: 'ana' }), /ana is no superuser at db-1/],
    [faultWith({ isStandby: true }), /db-1:5432 is a standby/],
    [faultWith({ isOpen: null }), /no database of this name/],
    [faultWith({ isOpen: false }), /has moved away from there/],
    [faultWith({}, null), /leads to another PostgreSQL/],
    [faultWith({}, { systemIdentifier: '72' }), /leads to another PostgreSQL/],
    [faultWith({}, { startedAt: '1000.2' }), /leads to another PostgreSQL/],
    [faultWith({}, { cell: 'a2' }), /are of cell a2/],
    [faultWith({}, { cell: null }), /are of cell nobody/],
    [faultWith({}, { schemas: 2 }), /the books of 2 cells/],
    [faultWith({ otherDatabases: ['blog', 'shop'] }), /also has the databases blog, shop/],
    [faultWith({}, {}, '71'), /directory of cells is at db-1/],
    [faultWith({ walLevel: 'minimal' }), /wal_level is minimal/],
    [faultWith({ admitsReplication: false }), /Add: host replication postgres <address of db-2:5432>/],
    [faultWith({ slotsFree: 0 }), /raise max_replication_slots/],
    [faultWith({ sendersFree: 1 }), /raise max_wal_senders|Raise max_wal_senders/],
  ] as const)
    assert.match(fault, expected)
  assert.equal(faultWith({ hasSlot: true, slotsFree: 0, sendersFree: 0 }), 'none', 'the target has its own')
})

test('a server becomes the target only when it is empty or a copy that follows', () => {
  const faultWith = (to: ServerFacts): string => faultOfTarget(move, from, to) ?? 'none'
  assert.equal(faultWith(copy), 'none')
  assert.equal(faultWith(installed), 'none')
  for (const [to, expected] of [
    [{ ...from }, /are the same server/],
    [{ ...copy, isStandby: false }, /does not follow it any more/],
    [{ ...installed, version: 16 }, /only the same major version/],
    [{ ...installed, otherDatabases: ['shop'] }, /databases of its own/],
    [{ ...installed, isOpen: true }, /databases of its own/],
    [{ ...installed, isOpen: false }, /databases of its own/],
  ] as const)
    assert.match(faultWith(to), expected)
  // Two clusters may have been started at the same instant.
  assert.equal(faultWith({ ...installed, startedAt: from.startedAt }), 'none')
})

test('only a copy of the server that is left counts as its standby', () => {
  assert.ok(isStandbyOf(from, copy))
  for (const to of [undefined, installed, { ...installed, isStandby: true }, { ...copy, isStandby: false }])
    assert.ok(!isStandbyOf(from, to))
})

test('a standby takes over only when callers would not wait for it, and the processes find it', () => {
  const segment = 16 * 1_048_576
  const faultWith = (to: Partial<ServerFacts>, behindBytes = segment, isNamed = true): string =>
    faultOfTakeover(move, { ...copy, ...to }, { behindBytes, isNamed }) ?? 'none'
  assert.equal(faultWith({}), 'none')
  assert.equal(faultWith({ synchronousNames: '*', standbys: 1 }), 'none')
  for (const [fault, expected] of [
    [faultWith({ synchronousNames: '*' }), /would wait for a synchronous standby/],
    [faultWith({ sortsOtherwise: true }), /sorts text otherwise/],
    [faultWith({}, 0, false), /does not lead to db-2:5432/],
    [faultWith({}, segment + 1), /is 17 MB behind/],
  ] as const)
    assert.match(fault, expected)
})
