// `statement held`, `held-new`, `held-same`: movements that have the name of another one, or contradict themselves.
import { AppError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import { requestCorrection } from '#/operator/corrections.ts'
import type { Proposal } from '#/operator/proposal-queries.ts'
import { decideHeldAs } from '#/operator/statements.ts'
import { listHeld, type Held } from '#/rails/sepa/held.ts'
import { signalKeeper } from '#/settlement/keep-signals.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { UsageError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { decisionLog } from './decision.ts'
import { sayProposed } from './proposed.ts'
import { printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

export const held: Command = {
  summary: 'Lists movements that are held because another one has their name, beside that one, oldest first',
  positionals: [],
  options: {},
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = (await listHeld(sql)).map(heldRecord)
      printRows(terminal, rows, { columns, json, empty: 'No movement is held.' })
    })
  },
}

export const heldNew: Command = {
  summary: 'Says that a held movement is another one: it is matched and booked now',
  positionals: ['connection', 'entry'],
  options: { reason: { value: 'text', meaning: 'Why; required, for the log' } },
  run: (call) => decideOne(call, false, requiredReason(call, 'Say why it is another movement.')),
}

export const heldSame: Command = {
  summary: 'Says that a held movement is the one that has its name: it is not booked again',
  positionals: ['connection', 'entry'],
  options: { reason: { value: 'text', meaning: 'Why; required, for the log' } },
  run: (call) => decideOne(call, true, requiredReason(call, 'Say why it is the same movement.')),
}

export const correct: Command = {
  summary:
    'Requests that a refused file is accepted as the corrected statement, with what it takes back; another person approves',
  positionals: ['connection', 'sha256'],
  options: { reason: { value: 'text', meaning: 'Why; required, for the log' } },
  async run(call) {
    const reason = requiredReason(call, 'Say how you know that the bank corrected it.')
    const [connection = '', sha256 = ''] = call.given
    if (!/^[0-9a-f]{64}$/.test(sha256))
      throw new UsageError(`"${printable(sha256)}" is no digest.`, 'See ./vintem statement list --json.')
    await withCore(call.deps.config(), async ({ sql, connections, clock }) => {
      const deps = { sql, connections, keep: signalKeeper(clock) }
      const order = { connection: connection as ConnectionId, sha256, reason }
      const proposal = await asUsage(requestCorrection(deps, operatorHere(), order))
      if (!call.json) showPlan(call, proposal)
      sayProposed(call, decisionLog(call.deps), proposal)
    })
  },
}

async function asUsage<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message, 'See ./vintem statement list.')
    throw error
  }
}

/** What it takes back and adds, side by side with the bank's file, and the balances that change. */
function showPlan({ terminal }: Call, { arguments: given }: Proposal): void {
  const { takenBack, added, balances } = given as {
    readonly takenBack: readonly string[]
    readonly added: readonly string[]
    readonly balances: readonly string[]
  }
  for (const each of takenBack) terminal.out(`Taken back: ${printable(each)}`)
  for (const each of added) terminal.out(`New: ${printable(each)}`)
  for (const each of balances) terminal.out(`Balance: ${printable(each)}`)
}

async function decideOne(call: Call, isSame: boolean, reason: string): Promise<void> {
  const [connection = '', entry = ''] = call.given
  const { terminal, json } = call
  await withCore(call.deps.config(), async ({ sql, clock, config }) => {
    const verdict = await decideHeldAs({ sql, keep: signalKeeper(clock) }, operatorHere(config), {
      connection: connection as ConnectionId,
      entry,
      isSame,
      reason,
    })
    if (verdict.kind === 'not_found')
      throw new UsageError('No such movement is held.', 'See ./vintem statement held.')
    if (verdict.kind === 'not_same')
      throw new UsageError(
        `It is not the same movement: ${verdict.reason}.`,
        'Use ./vintem statement held-new.',
      )
    if (json) return printRecord(terminal, heldRecord(verdict.held), { labels: {}, json })
    const what = isSame ? 'is not booked again' : 'is another movement: a worker books it at once'
    terminal.out(`${terminal.paint.good(terminal.symbols.done)} ${printable(entry)} ${what}.`)
  })
}

function heldRecord({ connection, entry, minor, currency, bookedOn, wrote, party, like }: Held) {
  const record = {
    connection,
    entry,
    amount: toDecimal({ minor, currency }),
    currency,
    bookedOn,
    wrote,
    party,
  }
  const other = {
    like: like?.entry ?? '',
    likeAmount: like === undefined ? '' : toDecimal({ minor: like.minor, currency }),
    likeBookedOn: like?.bookedOn ?? '',
    likeWrote: like?.wrote ?? '',
  }
  return { ...record, ...other }
}

const columns: readonly Column<ReturnType<typeof heldRecord>>[] = [
  { name: 'connection', value: ({ connection }) => connection },
  { name: 'entry', value: ({ entry }) => printable(entry) },
  { name: 'amount', value: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'booked', value: ({ bookedOn }) => bookedOn },
  { name: 'wrote', value: ({ wrote }) => printable(wrote) },
  { name: 'other side', value: ({ party }) => printable(party) },
  { name: 'like', value: ({ like }) => printable(like) },
  { name: 'of', value: ({ likeAmount, likeBookedOn }) => `${likeAmount} ${likeBookedOn}`.trim() },
  { name: 'which wrote', value: ({ likeWrote }) => printable(likeWrote) },
]
