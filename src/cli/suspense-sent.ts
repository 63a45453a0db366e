// The part of `suspense` about money that left unrecorded: whose it was. One person requests a decision, another one approves it.
import { given } from '#/kernel/given.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { printable } from '#/kernel/terminal.ts'
import { proposeUnrecorded, type UnrecordedRequest } from '#/operator/unrecorded.ts'
import { selectUnrecordedPage, type Unrecorded, type UnrecordedId } from '#/settlement/unrecorded-queries.ts'
import { amountText } from './amount.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { refusing, UsageError, type Call, type Command, type Option } from './command.ts'
import { withDatabase } from './database.ts'
import { whoDecides } from './decision.ts'
import { merchantIdIn } from './office.ts'
import { sayProposed } from './proposed.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { unrecordedColumns, unrecordedRecord } from './unrecorded.ts'

const pageMax = 500

const sent: Command = {
  summary: 'Lists money that left and that the books do not have, oldest first: found after a restore',
  positionals: [],
  options: { all: { meaning: 'Also what was decided' } },
  async run({ terminal, deps, json, flag }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows: Unrecorded[] = []
      for (;;) {
        const after = rows.at(-1)?.id
        const page = { all: flag('all'), limit: pageMax, ...given({ after }) }
        const found = await selectUnrecordedPage(sql, page)
        rows.push(...found)
        if (found.length < pageMax) break
      }
      const empty = 'No money that left waits for a person.'
      const columns = flag('all') ? [...unrecordedColumns, decided] : unrecordedColumns
      printRows(terminal, rows, { columns, json, empty, recordOf: unrecordedRecord })
    })
  },
}

const decided: Column<Unrecorded> = {
  name: 'Decided',
  value: ({ resolution, note }) => printable([resolution, note].filter(Boolean).join(': ')),
}

const reason: Option = { value: 'text', meaning: 'Why; required, kept with the decision' }

function charge(log: Log): Command {
  return {
    summary: 'Requests that a merchant is debited for it: its wallets, and what they lack as a debt',
    positionals: ['id'],
    options: { merchant: { value: 'merchant-id', meaning: 'Whose it was; required' }, reason },
    run: (call) => request(call, log, { resolution: 'CHARGED', merchantId: merchantIdOf(call) }),
  }
}

function writeOff(log: Log): Command {
  return {
    summary: 'Requests that it is written off: you bear it',
    positionals: ['id'],
    options: { reason },
    run: (call) => request(call, log, { resolution: 'WRITTEN_OFF' }),
  }
}

function cameBack(log: Log): Command {
  return {
    summary: 'Requests that it is recorded as returned: the provider holds it for you again',
    positionals: ['id'],
    options: { reason },
    run: (call) => request(call, log, { resolution: 'RETURNED' }),
  }
}

/** The commands about money that left unrecorded. Their requests are approved by `suspense approve`. */
export function sentCommands(log: Log) {
  return { sent, charge: charge(log), 'write-off': writeOff(log), 'came-back': cameBack(log) }
}

async function request(call: Call, log: Log, what: Omit<UnrecordedRequest, 'id'>): Promise<void> {
  const id = idOf(call)
  const why = requiredReason(call, 'Another person decides about it, and reads the reason.')
  const config = call.deps.config()
  const hasOwnKeys = config.VINTEM_MASTER_KEY !== '' && config.VINTEM_AUDIT_KEY !== ''
  await withDatabase(config, async (sql) => {
    const operator = operatorHere(config)
    const proposal = await refusing(proposeUnrecorded({ sql, hasOwnKeys }, operator, { id, ...what }, why))
    sayProposed(call, log, proposal)
  })
}

/** What an approved request has decided. */
export function saySentDecided({ terminal, json }: Call, log: Log, unrecorded: Unrecorded): void {
  const { id, resolution, walletId, note } = unrecorded
  log.info(
    { unrecorded: id, resolution, wallet: walletId, by: whoDecides(), why: note },
    'a person approved a decision on money that left unrecorded',
  )
  if (json) return printRecord(terminal, unrecordedRecord(unrecorded), { labels: {}, json })
  const when = unrecorded.resolvedAt === null ? '' : ` at ${dateText(unrecorded.resolvedAt)}`
  terminal.out(
    `${terminal.paint.good(terminal.symbols.done)} ${amountText(unrecorded)} is ${resolution}${when}.`,
  )
}

function idOf({ given: [text = ''] }: Call): UnrecordedId {
  const id = text.toLowerCase()
  if (!isUuid(id))
    throw new UsageError(`"${text}" is no id of money that left.`, 'See ./vintem suspense sent.')
  return id as UnrecordedId
}

function merchantIdOf({ option }: Call): MerchantId {
  const text = option('merchant')
  if (text === undefined) throw new UsageError('--merchant is missing.', 'Name whose money it was.')
  return merchantIdIn(text)
}
