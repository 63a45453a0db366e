// `suspense`: money that arrived and fits no payment. A person credits it to a merchant, or records that it went back. And money that left
// unrecorded, and what one person requested of another.
import { given } from '#/kernel/given.ts'
import { printable } from '#/kernel/terminal.ts'
import {
  approveRequest,
  refuseRequest,
  resolveSuspense,
  resolveUnrecorded,
} from '#/operator/acts/suspense.ts'
import { selectOpenProposals, type Proposal } from '#/operator/proposal-queries.ts'
import { selectSuspended, type Unmatched } from '#/settlement/queries.ts'
import { selectUnrecordedPage, type Unrecorded } from '#/settlement/unrecorded-queries.ts'
import { commandsOf } from './act-commands.ts'
import { amountText } from './amount.ts'
import { group, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { dateText, printRows, type Column } from './table.ts'
import { unrecordedColumns, unrecordedRecord } from './unrecorded.ts'

const list: Command = {
  summary: 'Lists money that arrived and fits no payment, oldest first',
  options: {
    all: { meaning: 'Also what was decided, and what a provider reports of money that we do not hold' },
  },
  async run({ terminal, deps, json, flag }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = await selectSuspended(sql, flag('all'))
      const empty = 'No money waits for a person.'
      printRows(terminal, rows, { columns: flag('all') ? allColumns : columns, json, empty, recordOf })
    })
  },
}

const pageMax = 500

const sent: Command = {
  summary: 'Lists money that left and that the books do not have, oldest first: found after a restore',
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

const waiting: Command = {
  summary: 'Lists requests that wait for another person, oldest first',
  async run({ terminal, deps, json }) {
    await withDatabase(deps.config(), async (sql) => {
      const rows = await selectOpenProposals(sql, { limit: 200 })
      printRows(terminal, rows, { columns: proposalColumns, json, empty: 'No request waits.' })
    })
  },
}

const proposalColumns: readonly Column<Proposal>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'What', value: ({ kind }) => kind },
  { name: 'About', value: ({ subject }) => subject },
  { name: 'Requested by', value: ({ byName }) => printable(byName) },
  { name: 'Why', value: ({ reason }) => printable(reason) },
]

export const suspenseCommand = group('suspense', {
  list,
  ...commandsOf(resolveSuspense, { recordOf }),
  sent,
  ...commandsOf(resolveUnrecorded),
  waiting,
  ...commandsOf(approveRequest, {
    recordOf: (approved) => {
      if (approved.about === 'suspense') return recordOf(approved.unmatched)
      if (approved.about === 'unrecorded') return unrecordedRecord(approved.unrecorded)
      return { request: approved.proposal.id, about: approved.proposal.subject }
    },
  }),
  ...commandsOf(refuseRequest),
})

/** As `--json` shows it: what does not apply is absent. */
function recordOf(unmatched: Unmatched): Readonly<Record<string, unknown>> {
  const {
    amountMinor,
    resolvedAt,
    resolution,
    walletId,
    note: why,
    lostMerchantId,
    lostPaymentId,
    ...rest
  } = unmatched
  return {
    ...rest,
    amount: amountMinor,
    ...(lostMerchantId === null ? {} : { lostMerchantId, lostPaymentId }),
    ...(resolvedAt === null ? {} : { resolvedAt, resolution }),
    ...(walletId === null ? {} : { walletId }),
    ...(why === null ? {} : { note: why }),
  }
}

const columns: readonly Column<Unmatched>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'Mode', value: ({ mode }) => mode },
  { name: 'Amount', value: amountText, align: 'right' },
  { name: 'Happened', value: ({ happenedAt }) => dateText(happenedAt) },
  { name: 'Heard since', value: ({ reportedSince }) => reportedSince.join(', ') || '-' },
  { name: 'Connection', value: ({ connection }) => connection },
  { name: "Provider's reference", value: ({ providerRef }) => providerRef },
  {
    name: 'Lost payment',
    value: ({ lostMerchantId, lostPaymentId }) =>
      lostMerchantId === null ? '' : `${lostPaymentId} of merchant ${lostMerchantId}`,
  },
]

const allColumns: readonly Column<Unmatched>[] = [
  ...columns,
  { name: 'Outcome', value: ({ outcome }) => outcome },
  {
    name: 'Decided',
    value: ({ resolution, note: why }) => printable([resolution, why].filter(Boolean).join(': ')),
  },
]
