// Movements on bank accounts that are held: each beside the one that has its name, and a person says whether it is that one. And corrected
// statements, which two people accept.
import { Type as T } from 'typebox'
import { currency } from '#/contract/words.ts'
import { pageSize, paging, queryOf } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { instant, oneOf, sum } from '#/kernel/schema.ts'
import { requestCorrection } from '#/operator/corrections.ts'
import { decideHeldAs } from '#/operator/statements.ts'
import { selectHeld } from '#/rails/sepa/held-queries.ts'
import { heldOf } from '#/rails/sepa/held.ts'
import { listed } from '../place.ts'
import { route, type DashboardRoute } from '../route.ts'
import { proposalRecord, proposalShape } from './proposal-shape.ts'
import { afterOf, operatorOf, pageByTime, reason } from './words.ts'

const shape = T.Object(
  {
    connection: T.String(),
    entry: T.String({ description: 'Its own name, which may have a day added to the bank’s.' }),
    amount: sum('Minor units; negative where money left.'),
    currency,
    bookedOn: T.String(),
    wrote: T.String(),
    party: T.String({ description: 'The other side.' }),
    like: T.Optional(
      T.Object(
        { entry: T.String(), amount: sum('Minor units.'), bookedOn: T.String(), wrote: T.String() },
        { description: 'The movement that has its name. Absent: it contradicts itself.' },
      ),
    ),
    createdAt: instant('When the file was imported.'),
  },
  { title: 'HeldMovement' },
)

type Row = Awaited<ReturnType<typeof selectHeld>>[number]

function record(row: Row) {
  const { minor, like, ...held } = heldOf(row)
  const { minor: amount, ...other } = like ?? { minor: 0n }
  return {
    ...held,
    amount: minor,
    ...(like === undefined ? {} : { like: { ...other, amount } }),
    createdAt: row.createdAt,
  }
}

const list = route({
  method: 'GET',
  path: '/operator/held',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listHeldMovements',
  summary:
    'Movements that have the name of another one, oldest first: they are in no book until a person decides',
  answer: listed(shape),
  query: queryOf(paging),
  async handle({ http: { sql } }, { query: { cursor, limit = pageSize } }) {
    const isShort = (text: string) => text.length < 200
    const given = afterOf(cursor, isShort, isShort, (text) => /^\d{1,6}$/.test(text))
    const [connection = '', reference = '', part = '0'] = given?.parts ?? []
    const after = given && {
      atUs: given.atUs,
      connection: connection as ConnectionId,
      reference,
      part: Number(part),
    }
    const rows = await selectHeld(sql, { ...(after && { after }), limit: limit + 1 })
    const partsOf = (row: Row) => [row.connection, row.reference, String(row.part)]
    return pageByTime(rows, limit, { recordOf: record, partsOf })
  },
})

const decide = route({
  method: 'POST',
  path: '/operator/held/decide',
  access: 'operator',
  permission: 'operator:approve',
  operationId: 'decideHeldMovement',
  summary: 'Says whether a held movement is another one, which is booked now, or the one that has its name',
  body: T.Object(
    {
      connection: T.String({ minLength: 1, maxLength: 100 }),
      entry: T.String({ minLength: 1, maxLength: 200, description: 'As the list names it.' }),
      as: oneOf(
        'HeldDecision',
        ['NEW', 'SAME'],
        'NEW: another movement. SAME: that one, told in other words.',
      ),
      reason,
    },
    { additionalProperties: false },
  ),
  async handle({ http: { sql }, operator: { keepSignals: keep, onSignal } }, call) {
    const { connection, entry, as, reason: why } = call.body
    const verdict = await decideHeldAs({ sql, keep }, operatorOf(call), {
      connection: connection as ConnectionId,
      entry,
      isSame: as === 'SAME',
      reason: why.trim(),
    })
    if (verdict.kind === 'not_found')
      throw new AppError('invalid_state', 'No such movement is held: it may have been decided.')
    if (verdict.kind === 'not_same')
      throw new AppError('invalid_state', `It is not the same movement: ${verdict.reason}.`)
    onSignal?.()
  },
})

const correct = route({
  method: 'POST',
  path: '/operator/statements/correct',
  access: 'operator',
  permission: 'operator:approve',
  operationId: 'requestCorrection',
  summary:
    'Requests that a refused file is accepted as the corrected statement, with what it takes back: another person approves',
  status: 202,
  answer: T.Object({ proposal: proposalShape }),
  body: T.Object(
    {
      connection: T.String({ minLength: 1, maxLength: 100 }),
      sha256: T.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the refused file.' }),
      reason,
    },
    { additionalProperties: false },
  ),
  async handle({ http: { sql }, operator: { keepSignals: keep, connections } }, call) {
    const { connection, sha256, reason: why } = call.body
    const order = { connection: connection as ConnectionId, sha256, reason: why.trim() }
    const proposal = await requestCorrection({ sql, connections, keep }, operatorOf(call), order)
    return { proposal: proposalRecord(proposal, call.visitor.user.id) }
  },
})

export const heldRoutes: readonly DashboardRoute[] = [list, decide, correct]
