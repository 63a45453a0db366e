// The statement: one row for each posted movement of a wallet's available balance, newest first.
import { statementKinds } from '#/contract/wallets.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { addMs, minuteMs, sleep, unixSeconds } from '#/kernel/time.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { selectWallets } from './queries.ts'
import * as queries from './statement-queries.ts'
import { selectDescriptions } from './transfer-queries.ts'
import type { Wallet } from './wallet.ts'

export type StatementKind = (typeof statementKinds)[number]

/** The name of each kind of movement, and the field that links it to its object. */
const kinds = {
  PAYMENT: { description: 'Payment', link: 'paymentId' },
  FEE: { description: 'Fee', link: 'paymentId' },
  REFUND: { description: 'Refund', link: 'refundId' },
  REFUND_RETURNED: { description: 'Refund returned', link: 'refundId' },
  WITHDRAWAL: { description: 'Withdrawal', link: 'withdrawalId' },
  WITHDRAWAL_RETURNED: { description: 'Withdrawal returned', link: 'withdrawalId' },
  TRANSFER: { description: 'Transfer between wallets', link: 'transferId' },
  DISPUTE: { description: 'Dispute', link: 'disputeId' },
  DISPUTE_WON: { description: 'Dispute won', link: 'disputeId' },
  RELEASE: { description: 'Released', link: 'paymentId' },
  RECEIVABLE_REPAID: { description: 'Repaid what was owed', link: 'paymentId' },
  SHARE: { description: 'Share of a payment', link: undefined },
  SHARE_FEE: { description: 'Fee of a share', link: undefined },
  SHARE_RETURNED: { description: 'Share that went back', link: undefined },
  SHARE_REPAID: { description: 'Repaid from a share', link: undefined },
  ADJUSTMENT: { description: 'Adjustment', link: undefined },
} as const satisfies Record<
  StatementKind,
  { readonly description: string; readonly link: string | undefined }
>

/** Kinds that the books distinguish, because they belong to different objects, and the statement shows as one. */
const shownAs: Readonly<
  Record<string, { readonly kind: StatementKind; readonly link: StatementLink | undefined }>
> = {
  WITHDRAWAL_FEE: { kind: 'FEE', link: 'withdrawalId' },
  DISPUTE_FEE: { kind: 'FEE', link: 'disputeId' },
  REFUND_REPAID: { kind: 'RECEIVABLE_REPAID', link: 'refundId' },
  WITHDRAWAL_REPAID: { kind: 'RECEIVABLE_REPAID', link: 'withdrawalId' },
  // Between a platform and its sub-account: unlike a transfer between own wallets it changes what the merchant has.
  SUB_TRANSFER: { kind: 'TRANSFER', link: 'transferId' },
  TRANSFER_REPAID: { kind: 'RECEIVABLE_REPAID', link: 'transferId' },
  // A row of the sub-account and one of its parent, to whom the record that made the money available says nothing; and what of it
  // repaid the parent's own debt.
  PARENT_REPAID: { kind: 'RECEIVABLE_REPAID', link: undefined },
  PLATFORM_REPAID: { kind: 'RECEIVABLE_REPAID', link: undefined },
}

/** The name of a kind of the books in the statement. */
export function shownKind(kind: string): string {
  return shownAs[kind]?.kind ?? kind
}

export type StatementLink = Exclude<(typeof kinds)[StatementKind]['link'], undefined>

export type StatementFilter = {
  readonly walletId?: WalletId
  readonly currency?: string
  readonly kind?: StatementKind
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** The page starts after this row. */
  readonly after?: StatementPosition
  readonly limit: number
}

/** Identifies a row by its object: the numbers of the books are internal. */
export type StatementPosition = {
  readonly subject: string
  readonly step: string
  readonly walletId: WalletId
}

/** One row, as the API shows it. */
export type StatementEntry = {
  readonly id: string
  readonly walletId: WalletId
  readonly currency: Currency
  readonly kind: StatementKind
  /** Signed minor units. */
  readonly amount: bigint
  readonly balance: bigint
  readonly postedAt: string
  readonly description: string
  /** Of a share of a payment: what the platform called it. */
  readonly label?: string
} & Readonly<Partial<Record<StatementLink, string>>>

export type StatementPage = {
  readonly data: readonly StatementEntry[]
  /** Absent on the last page. */
  readonly next?: StatementPosition
}

/** Rows read at a time when the filter has one kind, and in all for one page. */
const chunk = 250
const readsMax = 2_000

/**
 * One page of the merchant's statement, or the field of the filter that names nothing of the merchant's. The cost does not
 * depend on the length of the history. When rows of one kind are rare, a page may hold fewer rows than requested and still have
 * a next page.
 */
export async function statementPage(
  sql: Sql,
  owner: Owner,
  filter: StatementFilter,
): Promise<StatementPage | 'unknown_wallet' | 'unknown_position'> {
  const scope = await statementScope(sql, owner, filter)
  if (scope === 'unknown_wallet') return scope
  const { accounts, names, range } = scope
  const start =
    filter.after === undefined ? range.before : await positionOf(sql, filter.after, accounts, names)
  if (start === undefined) return 'unknown_position'
  if (accounts.length === 0) return { data: [] }
  const page = await readRows(sql, accounts, { first: range.first, before: start }, filter)
  return {
    data: await statementEntries(sql, owner, scope, page.rows),
    ...(page.more === undefined ? {} : { next: toPosition(page.more, walletOf(page.more, names)) }),
  }
}

type Owner = { readonly id: MerchantId; readonly mode: Mode }

/** The part of a merchant's statement that a filter selects: accounts, the wallets that they belong to by name, and transfers. */
export type StatementScope = {
  readonly accounts: readonly queries.Account[]
  readonly names: ReadonlyMap<string, Wallet>
  readonly range: queries.Range
}

export async function statementScope(
  sql: Sql,
  owner: Owner,
  filter: Pick<StatementFilter, 'walletId' | 'currency' | 'from' | 'to'>,
): Promise<StatementScope | 'unknown_wallet'> {
  const { walletId, currency, from, to } = filter
  const found = await selectWallets(sql, owner.id, walletId === undefined ? {} : { id: walletId })
  // Every merchant has wallets: none is found where the named one is not the merchant's.
  if (found.length === 0) return 'unknown_wallet'
  const wallets = found.filter((wallet) => currency === undefined || wallet.currency === currency)
  const names = new Map(wallets.map((wallet) => [nameOf(owner.mode, wallet), wallet]))
  if (to !== undefined) await settleInstants(sql, [to])
  const [first, last] = await positionsBefore(sql, [from ?? beginning, to ?? end])
  // Not before the position: every account with an entry up to the last one must be among them.
  const accounts = await queries.selectAccounts(sql, owner.mode, [...names.keys()])
  const before = { transfer: must(last, 'an end has a position') + 1n, account: 0n }
  return { accounts, names, range: { first: must(first, 'a start has a position'), before } }
}

/** These rows as the API shows them: own transfers with the merchant's description, refunds with their payment. */
export async function statementEntries(
  sql: Sql,
  owner: Owner,
  { names }: StatementScope,
  rows: readonly queries.Row[],
): Promise<readonly StatementEntry[]> {
  const ids = rows.filter(({ kind }) => shownKind(kind) === 'TRANSFER').map(({ subject }) => subject)
  const refunds = rows.filter((row) => linkOf(row) === 'refundId').map(({ subject }) => subject)
  const splits = rows.filter(({ kind }) => shareKinds.has(kind)).map(({ subject }) => subject)
  const [described, refunded, labelled] = await Promise.all([
    ids.length === 0 ? [] : selectDescriptions(sql, owner.id, ids),
    refunds.length === 0 ? [] : queries.selectRefunded(sql, owner.id, [...new Set(refunds)]),
    splits.length === 0 ? [] : queries.selectShareLabels(sql, owner.id, [...new Set(splits)]),
  ])
  const labels = new Map(labelled.map(({ splitId, ordinal, label }) => [`${splitId}/${ordinal}`, label]))
  const descriptions = new Map(described.map(({ id, description }) => [id, description]))
  const paymentOf = new Map(refunded.map(({ id, paymentId }) => [id, paymentId]))
  return rows.map((row) => {
    const label = shareKinds.has(row.kind) ? labels.get(shareName(row)) : undefined
    const entry = {
      ...toEntry(row, walletOf(row, names), descriptions.get(row.subject)),
      ...given({ label }),
    }
    const paymentId = linkOf(row) === 'refundId' ? paymentOf.get(row.subject) : undefined
    return paymentId === undefined ? entry : { ...entry, paymentId }
  })
}

/** The kinds of movements of shares, whose subject is a split. */
const shareKinds: ReadonlySet<string> = new Set<StatementKind>([
  'SHARE',
  'SHARE_FEE',
  'SHARE_RETURNED',
  'SHARE_REPAID',
])

/** The share that the row moves: the steps of ledger/share-recipes.ts begin with the version of the split, then the share's number. */
function shareName({ subject, step }: Pick<queries.Row, 'subject' | 'step'>): string {
  return `${subject}/${step.split('.')[1] ?? ''}`
}

/** Reads until the page is full or the limit of rows for one page is reached. `more`: the row after which the next page starts. */
async function readRows(
  sql: Sql,
  accounts: readonly queries.Account[],
  range: queries.Range,
  { kind, limit }: StatementFilter,
): Promise<{ readonly rows: readonly queries.Row[]; readonly more?: queries.Row }> {
  const rows: queries.Row[] = []
  const size = kind === undefined ? limit + 1 : chunk
  let before = range.before
  for (let read = 0; ; read += size) {
    const found = await queries.selectRows(sql, accounts, { ...range, before }, size)
    rows.push(...found.filter((row) => kind === undefined || shownKind(row.kind) === kind))
    const last = found.at(-1)
    if (rows.length > limit) {
      const page = rows.slice(0, limit)
      return { rows: page, more: must(page.at(-1), 'a full page has a last row') }
    }
    if (found.length < size || last === undefined) return { rows }
    if (read + size >= readsMax) return { rows, more: last }
    before = { transfer: last.transfer, account: last.account }
  }
}

/** The position of the named row, if it is a row of these accounts. */
async function positionOf(
  sql: Sql,
  { subject, step, walletId }: StatementPosition,
  accounts: readonly queries.Account[],
  names: ReadonlyMap<string, Wallet>,
): Promise<queries.Position | undefined> {
  const account = accounts.find(({ name }) => names.get(name)?.id === walletId)
  if (account === undefined) return undefined
  const transfer = await queries.selectTransfer(sql, subject, step, account.id)
  return transfer === undefined ? undefined : { transfer, account: account.id }
}

function nameOf(mode: Mode, { id, currency }: Wallet): string {
  return walletAvailable(mode, id, currency).name
}

function walletOf(row: queries.Row, names: ReadonlyMap<string, Wallet>): Wallet {
  return must(names.get(row.name), `${row.name} belongs to no wallet`)
}

function toPosition({ subject, step }: queries.Row, { id }: Wallet): StatementPosition {
  return { subject, step, walletId: id }
}

function toEntry(row: queries.Row, wallet: Wallet, ownDescription: string | undefined): StatementEntry {
  const kind = must(
    statementKinds.find((each) => each === shownKind(row.kind)),
    `movement ${row.kind}`,
  )
  const { description } = kinds[kind]
  const link = linkOf(row)
  return {
    id: rowId(row, wallet),
    walletId: wallet.id,
    currency: wallet.currency,
    kind,
    amount: row.minor,
    balance: row.balance,
    postedAt: row.at.toISOString(),
    description: ownDescription ?? description,
    ...(link === undefined ? {} : { [link]: row.subject }),
  }
}

/** The field that names the row's object. */
function linkOf({ kind }: Pick<queries.Row, 'kind'>): StatementLink | undefined {
  const shown = statementKinds.find((each) => each === kind)
  return shown === undefined ? shownAs[kind]?.link : kinds[shown].link
}

/**
 * A row has no id of its own in the books, so it gets a deterministic one: a UUIDv8 (RFC 9562 §5.8) of the instant and a hash
 * of the row's subject. It sorts by time, like all ids.
 */
function rowId({ subject, step, at }: queries.Row, { id }: Wallet): string {
  const bytes = sha256(`${subject}/${step}/${id}`).subarray(0, 16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

// Instants and the order of the books: which transfers lie before an instant, for good.

/** Longer than any batch lasts: every earlier batch is committed or abandoned by then. */
const settledAfterMs = minuteMs

/**
 * Makes sure that nothing more will be posted before these instants, as far as they are past: a batch has the instant of its
 * beginning, and becomes visible at its end. Returns the time of the database's clock, which decides.
 */
export async function settleInstants(sql: Sql, instants: readonly Date[]): Promise<Date> {
  const { now, lastBatchAt } = await queries.selectClock(sql)
  const isOpen = instants.some(
    (each) =>
      each <= now &&
      each > addMs(now, -settledAfterMs) &&
      // Batches are in the order of time, so none will come before the last one.
      (lastBatchAt === null || lastBatchAt < each),
  )
  if (isOpen) await queries.awaitBatch(sql)
  return now
}

/**
 * The instant from which on everything that is posted is later than `at`. Waits until nothing more will be posted up to `at`.
 * Instants of the books are whole milliseconds. Undefined when `at` is in the future.
 */
export async function settledAfter(sql: Sql, at: Date): Promise<Date | undefined> {
  const after = addMs(at, 1)
  for (;;) {
    const now = await settleInstants(sql, [after])
    if (at > now) return undefined
    if (after <= now) return after
    await sleep(1)
  }
}

/** Before any entry of the books: callers may name years that the database cannot store. */
const beginning = unixSeconds(0n)
const end = unixSeconds(253_402_214_400n)

/** For each instant the number of the last transfer before it. For a future instant: the last existing one. */
export function positionsBefore(tx: Tx, instants: readonly Date[]): Promise<readonly bigint[]> {
  return queries.selectPositions(
    tx,
    instants.map((each) => (each < beginning ? beginning : each)),
  )
}
