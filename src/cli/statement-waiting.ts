// The lists of `statement` about movements that wait for a person: held ones, unclear recalls, and money in currencies that the books do not have.
import { toDecimal } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import { listForeign, type Foreign } from '#/rails/sepa/foreign.ts'
import { listHeld, type Held } from '#/rails/sepa/held.ts'
import { listUnclear, type Unclear } from '#/rails/sepa/unclear.ts'
import { listing } from './listing.ts'
import { type Column } from './table.ts'

export const held = listing({
  summary: 'Lists movements that are held because another one has their name, beside that one, oldest first',
  rows: async (sql) => (await listHeld(sql)).map(heldRecord),
  columns: () => heldColumns,
  empty: 'No movement is held.',
})

export function heldRecord({ connection, entry, minor, currency, bookedOn, wrote, party, like }: Held) {
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

const heldColumns: readonly Column<ReturnType<typeof heldRecord>>[] = [
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

export const recalls = listing({
  summary: 'Lists debits that take back a credit which the bank does not name clearly, oldest first',
  rows: async (sql) => (await listUnclear(sql)).map(recallRecord),
  columns: () => recallColumns,
  empty: 'No debit waits for a person.',
})

export function recallRecord({
  connection,
  entry,
  minor,
  currency,
  bookedOn,
  reason,
  wrote,
  party,
}: Unclear) {
  const amount = toDecimal({ minor, currency })
  return { connection, entry, amount, currency, bookedOn, reason, wrote, party }
}

const recallColumns: readonly Column<ReturnType<typeof recallRecord>>[] = [
  { name: 'connection', value: ({ connection }) => connection },
  { name: 'entry', value: ({ entry }) => printable(entry) },
  { name: 'amount', value: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'booked', value: ({ bookedOn }) => bookedOn },
  { name: 'reason', value: ({ reason }) => printable(reason) },
  { name: 'bank wrote', value: ({ wrote }) => printable(wrote) },
  { name: 'other side', value: ({ party }) => printable(party) },
]

export const foreign = listing({
  summary: 'Lists money on bank accounts in currencies that the books do not have, oldest first',
  rows: async (sql) => (await listForeign(sql)).map(foreignRecord),
  columns: () => foreignColumns,
  empty: 'No money in another currency waits for a person.',
})

export function foreignRecord({ createdAt, ...row }: Foreign) {
  return { ...row, importedAt: createdAt.toISOString() }
}

const foreignColumns: readonly Column<ReturnType<typeof foreignRecord>>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'connection', value: ({ connection }) => connection },
  { name: 'entry', value: ({ entry }) => printable(entry) },
  { name: 'amount', value: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'booked', value: ({ bookedOn }) => bookedOn },
  { name: 'payer wrote', value: ({ wrote }) => printable(wrote) },
  { name: 'other side', value: ({ party }) => printable(party) },
]
