// Compares what providers say left and what our signers signed since the restored moment with the withdrawals and refunds of the
// books, by our own references. If the books have it in an earlier state, reconciliation will correct that. If the books do not have it, it is
// recorded, once, and two people decide about it.
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, sleep } from '#/kernel/time.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { selectBooked, type Booked, type Unrecorded } from '#/settlement/unrecorded-queries.ts'
import { sentKey, type SentItem, type SentVerdict } from '#/settlement/unrecorded.ts'
import { continueAt, recordLostSignatures } from '#/treasury/lost-signatures.ts'
import * as queries from './money-out-queries.ts'
import { sourcesOf, type Listed, type SignedOf, type Source, type SourceDeps } from './money-out-sources.ts'
import type { Incomplete, SourceName } from './restore.ts'
import { unopened, type Person } from './review.ts'
import { compareJournals, payoutOf, type JournalDeps, type SignedTx } from './signed.ts'

export type MoneyOutDeps = SourceDeps & {
  readonly sql: Sql
  readonly log: Log
  /** Books what left and is in no record. */
  readonly record: (item: SentItem) => Promise<SentVerdict>
  /** How long a provider may take for one page. */
  readonly pageWaitMs?: number
  /** The journals of our signers, where the person has them. */
  readonly signed?: JournalDeps
}

/** How many of each there were in the list of one connection. */
export type Counts = {
  /** The books have it. */
  agreeing: number
  /** The books have it in an earlier state: reconciliation brings it there. */
  behind: number
  /** The books do not have it, and the provider does not know yet whether it leaves. */
  underWay: number
  /** A refund of a payment that the books do not have: the reconciliation of money in will find both. */
  ofUnknown: number
  /** Recorded now, and recorded before. */
  recorded: number
  repeated: number
}

export type Compared = SourceName & {
  readonly counts: Readonly<Counts>
  /** Why it is not complete; absent: it is. */
  readonly why?: string
}

export type Comparison = {
  readonly since: Date
  readonly sources: readonly Compared[]
  /** What was recorded by this comparison. */
  readonly recorded: readonly Unrecorded[]
  /** What the journals have signed since, in the order of nonces for each wallet. */
  readonly signed: readonly SignedTx[]
}

/** Clocks of providers and of the books differ. */
const marginMs = hourMs
/** How many providers are queried at the same time. */
const atOnce = 8
const defaultPageWaitMs = minuteMs

/**
 * Queries all providers, reads the journals, and records what the books do not have. A provider that fails or does not answer is named, and delays
 * no other. A second run records nothing twice. Throws AppError `invalid_state` while the first steps of the repair are not
 * done, `invalid_request` when `since` is after the restored moment.
 */
export async function compareMoneyOut(
  deps: MoneyOutDeps,
  { by, name }: Person,
  { since: given }: { readonly since?: Date } = {},
): Promise<Comparison> {
  const { sql } = deps
  const restore = await unopened(sql)
  if (restore.notifiedAt === null)
    throw new AppError('invalid_state', 'The first steps are not done: ./vintem restored begin.')
  const since = given ?? addMs(restore.lastAt, -marginMs)
  if (since > restore.lastAt)
    throw new AppError(
      'invalid_request',
      `The books end at ${restore.lastAt.toISOString()}: compare from before.`,
    )
  const span = { from: since, to: await readNow(sql) }
  const recorded: Unrecorded[] = []
  const signedOf: SignedOf =
    deps.signed === undefined
      ? new Map()
      : await compareJournals(sql, deps.signed, { from: span.from, lastAt: restore.lastAt })
  const signed = [...signedOf.values()].flatMap(({ txs }) => txs)
  await keepSigned(sql, signedOf)
  const sources = await inTurns(await sourcesOf(deps, signedOf), (source) =>
    compareOne(deps, source, span, recorded),
  )
  const incomplete = sources.flatMap(({ kind, connection, why }): readonly Incomplete[] =>
    why === undefined ? [] : [{ kind, connection, why }],
  )
  const id = newId<'comparison'>()
  await sql.begin(async (tx) => {
    const complete = sources.length - incomplete.length
    const comparison = { id, epoch: restore.number, comparedBy: name, since, complete, incomplete }
    await queries.insertComparison(tx, comparison)
    const after = {
      comparison: id,
      complete,
      incomplete: incomplete.length,
      recorded: recorded.length,
      journals: deps.signed?.journals.length ?? 0,
    }
    const subject = `epoch:${restore.number}`
    await writeAudit(tx, [{ ...by, action: 'restore.compare', subject, after }])
  })
  return { since, sources, recorded, signed }
}

/** What was signed for payouts that the books have in an earlier state is kept for their wallets, which follow it to its end. */
async function keepSigned(sql: Sql, signedOf: SignedOf): Promise<void> {
  for (const [connection, { lost, next, txs }] of signedOf) {
    await recordLostSignatures(sql, lost)
    const departed = txs.flatMap(({ books, reference }) =>
      books === 'EARLIER' ? (payoutOf(reference) ?? []) : [],
    )
    if (departed.length > 0) await sql.begin((tx) => queries.markDeparted(tx, connection, departed))
    for (const { wallet, nonce } of next) await continueAt(sql, wallet, nonce)
  }
}

/** Runs the work for all, a few at the same time, and keeps their order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const run = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return results
}

type Span = { readonly from: Date; readonly to: Date }

async function compareOne(
  deps: MoneyOutDeps,
  source: Source,
  span: Span,
  recorded: Unrecorded[],
): Promise<Compared> {
  const { kind, connection } = source
  const counts: Counts = { agreeing: 0, behind: 0, underWay: 0, ofUnknown: 0, recorded: 0, repeated: 0 }
  const faults = new Set(source.why === undefined ? [] : [source.why])
  try {
    if (source.pages === undefined) return { kind, connection, counts, ...whyOf(faults) }
    for await (const page of withDeadline(source.pages(span), deps.pageWaitMs ?? defaultPageWaitMs))
      for (const verdict of await comparePage(deps, source, page, counts))
        if (verdict.kind === 'recorded') recorded.push(verdict.unrecorded)
        else if (verdict.kind === 'differs') faults.add(differs(verdict.unrecorded))
        else if (verdict.kind === 'unbookable')
          faults.add('something that left cannot be booked: ./vintem verify, for coins ./vintem coins')
    if (counts.underWay > 0) faults.add(`${counts.underWay} unknown here are under way: compare again later`)
    return { kind, connection, counts, ...whyOf(faults) }
  } catch (error) {
    const why = messageOf(error)
    deps.log.warn({ connection, kind, error: why }, 'a provider could not say what left')
    return { kind, connection, counts, why }
  }
}

function whyOf(faults: ReadonlySet<string>): Pick<Compared, 'why'> {
  return faults.size === 0 ? {} : { why: [...faults].join('; ') }
}

function differs({ reference, amountMinor }: Unrecorded): string {
  return `${reference} is recorded with ${amountMinor}, and its provider says another amount now`
}

/** Compares one page. Returns the verdicts on what the books do not have. */
async function comparePage(
  deps: MoneyOutDeps,
  { kind, connection }: SourceName,
  page: readonly Listed[],
  counts: Counts,
): Promise<readonly SentVerdict[]> {
  if (page.length === 0) return []
  const { sql, record } = deps
  const nameOf = ({ reference }: Listed) => ({ kind, connection, reference })
  const booked = new Map((await selectBooked(sql, page.map(nameOf))).map((each) => [sentKey(each), each]))
  const owners = await ownersOf(sql, connection, page)
  const gone: string[] = []
  const items = page.flatMap((listed): readonly SentItem[] => {
    const found = booked.get(sentKey(nameOf(listed)))
    const departed = found === undefined ? listed.amount.minor - listed.returned : listed.amount.minor
    if (found !== undefined && departed <= found.amountMinor) {
      counts[isBehind(found, listed) ? 'behind' : 'agreeing'] += 1
      if (isBehind(found, listed)) gone.push(listed.reference)
      return []
    }
    if (found === undefined && listed.mayBeBooked) {
      counts.behind += 1
      return []
    }
    if (listed.state === 'UNDER_WAY') counts.underWay += 1
    if (listed.state === 'UNDER_WAY') return []
    const of = listed.attempt && owners.get(listed.attempt)
    if (kind === 'REFUND' && of === undefined) {
      counts.ofUnknown += 1
      return []
    }
    return [itemOf({ kind, connection }, listed, { departed, of })]
  })
  if (gone.length > 0) await sql.begin((tx) => queries.markDeparted(tx, connection, gone))
  const verdicts = await Promise.all(items.map((item) => record(item)))
  for (const [index, { kind: ruled }] of verdicts.entries()) {
    if (ruled === 'recorded' || ruled === 'repeated') counts[ruled] += 1
    // The whole amount came back and was never recorded: then nothing left.
    if (ruled === 'booked' && items[index]?.amount.minor !== 0n) counts.agreeing += 1
  }
  return verdicts
}

/** Both end as COMPLETED, also when it came back later. */
function isBehind({ status }: Booked, { state }: Listed): boolean {
  return state === 'LEFT' && status !== 'COMPLETED'
}

type Owner = Pick<queries.AttemptOwner, 'merchantId' | 'paymentId'>

async function ownersOf(
  sql: Sql,
  connection: SourceName['connection'],
  page: readonly Listed[],
): Promise<ReadonlyMap<string, Owner>> {
  const names = page.flatMap(({ attempt }) => (attempt === undefined ? [] : [{ id: attempt, connection }]))
  const found = names.length === 0 ? [] : await queries.selectAttemptOwners(sql, names)
  return new Map(found.map((each) => [each.id, each]))
}

function itemOf(
  { kind, connection }: SourceName,
  { reference, account, providerRef, coins, amount, happenedAt, evidence }: Listed,
  { departed, of }: { readonly departed: bigint; readonly of: Owner | undefined },
): SentItem {
  return {
    kind,
    connection,
    account,
    reference,
    amount: { ...amount, minor: departed },
    evidence,
    ...given({ providerRef, coins }),
    ...(of === undefined ? {} : { of: { merchantId: of.merchantId, paymentId: of.paymentId } }),
    ...given({ happenedAt }),
  }
}

/** The pages, each of which must come within the time. */
async function* withDeadline<Page>(pages: AsyncIterable<Page>, waitMs: number): AsyncGenerator<Page> {
  const iterator = pages[Symbol.asyncIterator]()
  try {
    for (;;) {
      const waited = new AbortController()
      const late = sleep(waitMs, waited.signal).then(() => 'late' as const)
      const next = await Promise.race([iterator.next(), late]).finally(() => waited.abort())
      if (next === 'late') throw new Error(`it gave no page for ${waitMs / 1_000} seconds`)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: it may hang.
    iterator.return?.().catch(() => {})
  }
}
