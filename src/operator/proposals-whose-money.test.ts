// Money of which nobody knows whose it is: what one person decides about it, and what two.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import { testClock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { UnrecordedId } from '#/settlement/unrecorded-queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { laneOn, poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { recordingBooks } from '../../test/settlement-view.ts'
import type { Operator } from './deps.ts'
import { confirmOwnerAs, proposeOwnerAs } from './found-coins.ts'
import { decideSuspense } from './suspense.ts'
import { proposeUnrecorded, submitUnrecorded } from './unrecorded.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T10:00:00Z')
const [ours, user] = [bareId(1) as MerchantId, bareId(2)]
const id = bareId(11)
const operator: Operator = { by: { actor: { kind: 'USER', id: user } }, name: 'ana@example.com' }
const person = { id: user, email: 'ana@example.com', is_operator: true }
const ownMerchant: BareRows = { app_user: [person], membership: [{ merchant_id: ours, user_id: user }] }
const world: BareRows = Object.fromEntries(
  [
    'unmatched',
    'unrecorded',
    'lost_issuance',
    'operator_proposal',
    'audit_log',
    'coin_claim',
    'coin_move',
    'wallet',
  ]
    .concat(['merchant', 'connection', 'sub_account', 'membership', 'app_user', 'command_account'])
    .map((table) => [table, []]),
)

/** Acts on these rows. Answers with the kind of the verdict or the code of the refusal, and the actions in the audit log. */
async function decided(
  tables: BareRows,
  act: (deps: Deps) => Promise<{ readonly kind: string }>,
): Promise<readonly (string | readonly string[])[]> {
  return onRows(sql, { ...world, ...tables }, async (tx) => {
    await tx`create unique index on operator_proposal (subject) where status = 'OPEN'`
    await tx`alter table operator_proposal alter status set default 'OPEN'`
    await tx`create unique index on coin_claim (move)`
    const { submit } = laneOn<EventDraft>({ tx, books: recordingBooks().books, at, now: at, number: 1n })
    const lane = partly<LedgerLane<EventDraft>>({ submit })
    const kind = await act({ sql: poolOn(tx), clock: testClock(at), lane }).then(
      (verdict) => verdict.kind,
      (error: unknown) => {
        assert.ok(error instanceof AppError, String(error))
        return error.code
      },
    )
    const rows = await tx<{ action: string }[]>`select action from audit_log`
    return [kind, rows.map(({ action }) => action)]
  })
}

type Deps = {
  readonly sql: Sql
  readonly clock: ReturnType<typeof testClock>
  readonly lane: LedgerLane<EventDraft>
}

test('money in suspense: up to a limit an outsider decides alone, and two people decide what is open otherwise', async () => {
  const money = { id, mode: 'LIVE', connection: 'bank', outcome: 'paid', amount_minor: 100, currency: 'EUR' }
  // No rail books it here: whoever decides alone hears that, and nothing moves.
  const alone = ['unbookable', []] as const
  const two = ['proposed', ['suspense.propose']] as const
  const cases: readonly (readonly [
    expected: readonly (string | readonly string[])[],
    change: object,
    more?: BareRows,
    hasOwnKeys?: boolean,
  ])[] = [
    [alone, {}],
    [two, { amount_minor: 101 }],
    [two, {}, ownMerchant],
    [['already', []], { amount_minor: 101, resolution: 'RETURNED' }],
    [['no_money', []], { amount_minor: 101, outcome: 'refunded' }],
    [['not_found', []], { id: bareId(12) }],
    [['invalid_state', []], {}, {}, false],
    [alone, { mode: 'SANDBOX' }, {}, false],
  ]
  for (const [expected, change, more = {}, hasOwnKeys = true] of cases) {
    const tables = {
      connection: [{ id: 'bank', method: 'PIX' }],
      unmatched: [{ ...money, ...change }],
      ...more,
    }
    const rules = { rails: new Map(), aloneMax: 100n, hasOwnKeys }
    const decision = { id: id as Id<'unmatched'>, merchantId: ours, note: 'it is theirs' }
    assert.deepEqual(
      await decided(tables, (deps) => decideSuspense({ ...deps, ...rules }, operator, decision)),
      expected,
      JSON.stringify({ change, hasOwnKeys }),
    )
  }
})

test('about live money that left unrecorded nothing is requested or decided with keys of a sandbox', async () => {
  const request = { id: id as UnrecordedId, resolution: 'WRITTEN_OFF' } as const
  const note = 'nobody knows'
  const requested = (mode: string, hasOwnKeys: boolean) =>
    decided({ unrecorded: [{ id, mode, connection: 'bank' }] }, (deps) =>
      proposeUnrecorded({ ...deps, hasOwnKeys }, operator, request, note).then(() => ({ kind: 'proposed' })),
    )
  const proposed = ['proposed', ['unrecorded.propose']]
  assert.deepEqual(await requested('LIVE', true), proposed)
  assert.deepEqual(await requested('SANDBOX', false), proposed)
  assert.deepEqual(await requested('LIVE', false), ['invalid_state', []])
  await decided({ unrecorded: [{ id, mode: 'LIVE', connection: 'bank' }] }, async (deps) => {
    const submitting = submitUnrecorded(
      { ...deps, hasOwnKeys: false },
      operator,
      { request, note },
      async () => {},
    )
    await assert.rejects(submitting, { message: /VINTEM_MASTER_KEY/ })
    return { kind: 'refused' }
  })
})

test('an owner of found coins is proposed once there are such coins, with an entry', async () => {
  const proposal = { move: id, merchantId: ours, by: 'ana' }
  const propose = (booked_as: string) =>
    decided({ coin_move: [{ id, booked_as }] }, async (deps) => {
      const isProposed = await proposeOwnerAs(deps, operator, proposal)
      return { kind: isProposed ? 'proposed' : 'nothing' }
    })
  assert.deepEqual(await propose('FOUND'), ['proposed', ['rescue.propose']])
  assert.deepEqual(await propose('REFILL'), ['nothing', []])
})

test('an owner of found coins is confirmed by another person, whatever names both have, who is no member', async () => {
  const proposedBy = (proposed_by: string): BareRows => ({
    coin_claim: [{ move: id, merchant_id: ours, proposed_by }],
    coin_move: [{ id, chain: 'base', minor: 100, booked_as: 'FOUND' }],
    connection: [{ id: 'chain', mode: 'LIVE', method: 'CRYPTO', settings: { chain: 'base' } }],
  })
  /** The account that confirms is a person's who proposed it by their address. */
  const linked: BareRows = {
    app_user: [person],
    command_account: [{ account: 'bia@office', user_id: user }],
  }
  const cases: readonly (readonly [expected: string, tables: BareRows])[] = [
    ['not_proposed', {}],
    // Another person may: that there is no such merchant here is found after that.
    ['unknown_merchant', proposedBy('rui@office')],
    ['same_person', proposedBy('bia@office')],
    ['same_person', proposedBy('BIA@office')],
    ['same_person', { ...proposedBy('ana@example.com'), ...linked }],
    ['forbidden', { ...proposedBy('rui@office'), ...ownMerchant }],
  ]
  for (const [expected, tables] of cases) {
    const confirmation = { move: id, by: 'bia@office' }
    assert.deepEqual(
      await decided(tables, (deps) => confirmOwnerAs(deps, operator, confirmation)),
      [expected, []],
      expected,
    )
  }
})
