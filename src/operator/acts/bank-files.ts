// Movements in a bank's files that wait for a person, corrected statements, and files of payments.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { oneOf } from '#/kernel/schema.ts'
import { printable } from '#/kernel/terminal.ts'
import type { ForeignId } from '#/rails/sepa/foreign-queries.ts'
import { requestCorrection } from '../corrections.ts'
import { decideForeignAs, decideHeldAs, decideRecallAs, decideTypo, makePaymentFile } from '../statements.ts'
import { act, approving, idOf, text, why } from './act.ts'

const movement = {
  connection: text(100),
  entry: text(200, 'As the list names it.'),
}
const words = ['connection', 'entry']
const needed = why('Why; required, for the log')
const noted = T.Optional(why('Why, for the log', { option: 'note' }))

type Named = { readonly connection: string; readonly entry: string }

/** The same names, as the functions that decide take them. */
function namedIn({ connection, entry }: Named) {
  return { connection: connection as ConnectionId, entry }
}

function typo(isPayments: boolean) {
  return {
    needs: 'books',
    see: 'See ./vintem statement proposals.',
    async carryOut(
      deps: Parameters<typeof decideTypo>[0],
      operator: Parameters<typeof decideTypo>[1],
      { reason, ...named }: Named & { readonly reason?: string },
    ) {
      const decided = await decideTypo(deps, operator, {
        ...namedIn(named),
        isPayments,
        ...given({ reason }),
      })
      if (decided === undefined) throw nothingWaits('transfer')
      return decided
    },
  } as const
}

function nothingWaits(what: string): AppError {
  return new AppError('invalid_state', `No such ${what} waits for a person: it may have been decided.`)
}

const wakes = { wakes: ['onSignal'] } as const

export const acceptTypo = act({
  ...typo(true),
  commands: { 'statement accept': { words } },
  console: approving('POST /operator/typos/accept', 'acceptTypo', wakes),
  summary: 'Books a transfer with a typo to the payment whose reference it almost is',
  args: { ...movement, reason: noted },
  said: ({ paymentId }, { entry }) =>
    `${printable(entry)} goes to payment ${paymentId}: a worker books it at once.`,
})

export const refuseTypo = act({
  ...typo(false),
  commands: { 'statement refuse': { words, sayWhy: 'Say why the money is not that payment’s.' } },
  console: approving('POST /operator/typos/refuse', 'refuseTypo', wakes),
  summary: 'Puts a transfer with a typo into suspense: it is not that payment’s',
  args: { ...movement, reason: needed },
  said: (_, { entry }) => `${printable(entry)} goes to suspense: a worker books it at once.`,
})

export const decideHeldMovement = act({
  commands: {
    'statement held-new': {
      summary: 'Says that a held movement is another one: it is matched and booked now',
      words,
      fixed: { as: 'NEW' },
      sayWhy: 'Say why it is another movement.',
    },
    'statement held-same': {
      summary: 'Says that a held movement is the one that has its name: it is not booked again',
      words,
      fixed: { as: 'SAME' },
      sayWhy: 'Say why it is the same movement.',
    },
  },
  console: approving('POST /operator/held/decide', 'decideHeldMovement', wakes),
  summary: 'Says whether a held movement is another one, which is booked now, or the one that has its name',
  needs: 'books',
  args: {
    ...movement,
    as: oneOf('HeldDecision', ['NEW', 'SAME'], 'NEW: another movement. SAME: that one, told in other words.'),
    reason: needed,
  },
  see: 'See ./vintem statement held.',
  async carryOut(deps, operator, { as, reason, ...named }) {
    const held = { ...namedIn(named), isSame: as === 'SAME', reason }
    const verdict = await decideHeldAs(deps, operator, held)
    if (verdict.kind === 'not_found') throw nothingWaits('held movement')
    if (verdict.kind === 'not_same')
      throw new AppError('invalid_state', `It is not the same movement: ${verdict.reason}.`)
    return verdict.held
  },
  said: (_, { entry, as }) =>
    `${printable(entry)} ${as === 'SAME' ? 'is not booked again' : 'is another movement: a worker books it at once'}.`,
})

function recall(decided: (of: string | undefined) => string) {
  return {
    needs: 'books',
    see: 'See ./vintem statement recalls.',
    async carryOut(
      deps: Parameters<typeof decideRecallAs>[0],
      operator: Parameters<typeof decideRecallAs>[1],
      args: Named & { readonly credit?: string; readonly reason?: string },
    ) {
      const order = { ...namedIn(args), ...given({ of: args.credit, reason: args.reason }) }
      const verdict = await decideRecallAs(deps, operator, order)
      if (verdict.kind === 'not_found') throw nothingWaits('debit')
      if (verdict.kind === 'no_credit')
        throw new AppError(
          'invalid_state',
          'No such credit came, or less of it is left than was taken. Name the credit by the AcctSvcrRef that its statement gives it.',
        )
      return verdict.unclear
    },
    said: (_: unknown, { entry, credit }: Named & { readonly credit?: string }) =>
      `${printable(entry)} ${decided(credit)}.`,
  } as const
}

export const sayRecalled = act({
  ...recall((of = '') => `took back ${printable(of)}: a worker books it at once`),
  commands: { 'statement recall': { words: [...words, 'credit'] } },
  summary: 'Says which credit a debit took back: its money is booked as lost in a dispute',
  args: { ...movement, credit: text(200), reason: noted },
})

export const sayNotRecalled = act({
  ...recall(() => 'takes back no credit'),
  commands: { 'statement no-recall': { words, sayWhy: 'Say why the debit takes back no credit.' } },
  summary: 'Says that a debit takes back no credit: it is money of the operator that left',
  args: { ...movement, reason: needed },
})

export const endForeignMoney = act({
  commands: {
    'statement foreign-done': {
      sayWhy: 'Say what became of the money, such as that the bank exchanged it.',
    },
  },
  console: approving('POST /operator/foreign-money/{id}/done', 'endForeignMoney'),
  summary: 'Says what became of money in such a currency at the bank; moves nothing in the books',
  needs: 'database',
  args: { id: idOf('such money'), reason: why('What became of it; required, for the log') },
  see: 'See ./vintem statement foreign.',
  async carryOut({ sql }, operator, { id, reason }) {
    const decided = await decideForeignAs(sql, operator, { id: id as ForeignId, reason })
    if (decided === undefined) throw nothingWaits('money')
    return decided
  },
  said: ({ entry, amount, currency }) => `${printable(entry)} of ${amount} ${currency} is done.`,
})

/** What the request would take back and add, side by side with the bank's file, and the balances that change. */
type Plan = Readonly<Record<'takenBack' | 'added' | 'balances', readonly string[]>>

export const correctStatement = act({
  commands: {
    'statement correct': {
      words: ['connection', 'sha256'],
      sayWhy: 'Say how you know that the bank corrected it.',
    },
  },
  console: approving('POST /operator/statements/correct', 'requestCorrection', { status: 202 }),
  summary:
    'Requests that a refused file is accepted as the corrected statement, with what it takes back; another person approves',
  secondPerson: 'always',
  needs: 'books',
  args: {
    connection: text(100),
    sha256: T.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the refused file.' }),
    reason: needed,
  },
  see: 'See ./vintem statement list --json.',
  async carryOut(deps, operator, { connection, sha256, reason }) {
    const order = { connection: connection as ConnectionId, sha256, reason }
    return { requested: await requestCorrection(deps, operator, order) }
  },
  planned({ arguments: plan }) {
    const { takenBack, added, balances } = plan as Plan
    return [
      ...takenBack.map((each) => `Taken back: ${printable(each)}`),
      ...added.map((each) => `New: ${printable(each)}`),
      ...balances.map((each) => `Balance: ${printable(each)}`),
    ]
  },
})

export const makeFile = act({
  commands: { 'payment-file make': { words: ['connectionId'] } },
  console: approving('POST /operator/payment-files', 'makePaymentFile', { status: 201 }),
  summary: 'Puts all payouts that wait on an account into one file, and stores it',
  needs: 'books',
  args: { connectionId: text(100, 'The account.', { value: 'connection' }) },
  see: 'See ./vintem connection list.',
  carryOut(deps, operator, { connectionId }) {
    const found = deps.connections.find(connectionId as ConnectionId)
    if (found?.method !== 'SEPA_TRANSFER')
      throw new AppError('invalid_request', 'This is no account for bank transfers.')
    return makePaymentFile(deps, operator, found.id)
  },
})
