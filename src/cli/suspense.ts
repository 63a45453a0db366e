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
import { unmatchedRecord } from '#/operator/records.ts'
import { selectSuspended, type Unmatched } from '#/settlement/queries.ts'
import { selectUnrecordedPage, type Unrecorded } from '#/settlement/unrecorded-queries.ts'
import { commandsOf } from './act-commands.ts'
import { amountText } from './amount.ts'
import { group } from './command.ts'
import { listing } from './listing.ts'
import { dateText, type Column } from './table.ts'
import { unrecordedColumns, unrecordedRecord } from './unrecorded.ts'

const list = listing({
  summary: 'Lists money that arrived and fits no payment, oldest first',
  options: {
    all: { meaning: 'Also what was decided, and what a provider reports of money that we do not hold' },
  },
  rows: (sql, { flag }) => selectSuspended(sql, flag('all')),
  columns: ({ flag }) => (flag('all') ? allColumns : columns),
  empty: 'No money waits for a person.',
  recordOf: unmatchedRecord,
})

const pageMax = 500

const sent = listing({
  summary: 'Lists money that left and that the books do not have, oldest first: found after a restore',
  options: { all: { meaning: 'Also what was decided' } },
  async rows(sql, { flag }) {
    const rows: Unrecorded[] = []
    for (;;) {
      const after = rows.at(-1)?.id
      const found = await selectUnrecordedPage(sql, { all: flag('all'), limit: pageMax, ...given({ after }) })
      rows.push(...found)
      if (found.length < pageMax) return rows
    }
  },
  columns: ({ flag }) => (flag('all') ? [...unrecordedColumns, decided] : unrecordedColumns),
  empty: 'No money that left waits for a person.',
  recordOf: unrecordedRecord,
})

const decided: Column<Unrecorded> = {
  name: 'Decided',
  value: ({ resolution, note }) => printable([resolution, note].filter(Boolean).join(': ')),
}

const waiting = listing({
  summary: 'Lists requests that wait for another person, oldest first',
  rows: (sql) => selectOpenProposals(sql, { limit: 200 }),
  columns: () => proposalColumns,
  empty: 'No request waits.',
})

const proposalColumns: readonly Column<Proposal>[] = [
  { name: 'Id', value: ({ id }) => id },
  { name: 'What', value: ({ kind }) => kind },
  { name: 'About', value: ({ subject }) => subject },
  { name: 'Requested by', value: ({ byName }) => printable(byName) },
  { name: 'Why', value: ({ reason }) => printable(reason) },
]

export const suspenseCommand = group('suspense', {
  list,
  ...commandsOf(resolveSuspense, { recordOf: unmatchedRecord }),
  sent,
  ...commandsOf(resolveUnrecorded),
  waiting,
  ...commandsOf(approveRequest, {
    recordOf: (approved) => {
      if (approved.about === 'suspense') return unmatchedRecord(approved.unmatched)
      if (approved.about === 'unrecorded') return unrecordedRecord(approved.unrecorded)
      return { request: approved.proposal.id, about: approved.proposal.subject }
    },
  }),
  ...commandsOf(refuseRequest),
})

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
