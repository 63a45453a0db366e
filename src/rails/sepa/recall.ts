// Credits that a bank takes back: by a recall, by a return, or because the bank booked them by mistake. The debit names the credit
// that it undoes, whose money is then booked like money of a lost dispute. If the credit is not clear, a person decides. Inspected
// by audit/rails/sepa-entries.ts.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Credit, Matched } from './entry.ts'
import { entryName } from './ids.ts'
import type { Movement } from './movement.ts'
import { creditsMax, selectCredits } from './recall-queries.ts'
import { quotedIn } from './texts.ts'

/** Decides which of these debits take back a credit. The others are absent. */
export async function matchRecalls(
  tx: Tx,
  connection: ConnectionId,
  debits: readonly Movement[],
): Promise<ReadonlyMap<Movement, Matched>> {
  const claims = debits.filter((each) => each.returned !== undefined || each.names.length > 0)
  const credits = await selectCredits(tx, connection, claims.map(creditQueryOf))
  // What this file has taken back so far: the books include it only after the whole file is stored.
  const taken = new Map<Credit['reference'], bigint>()
  const matched = new Map<Movement, Matched>()
  for (const [at, claim] of claims.entries()) {
    const found = (credits[at] ?? []).map((credit) => ({
      ...credit,
      leftMinor: credit.leftMinor - (taken.get(keyOf(credit)) ?? 0n),
    }))
    const credit = creditOf(claim, found)
    if (credit !== undefined) {
      taken.set(keyOf(credit), (taken.get(keyOf(credit)) ?? 0n) + claim.minor)
      matched.set(claim, { kind: 'RECALL', credit })
    } else if (claim.returned !== undefined) matched.set(claim, { kind: 'UNCLEAR' })
  }
  return matched
}

function keyOf({ reference, part }: Credit): string {
  return `${reference}|${part}`
}

function creditQueryOf(debit: Movement) {
  const { minor, names, endToEndId, currency } = debit
  const isSaid = debit.returned !== undefined
  // Only a debit that says that it undoes something is compared by names that several transfers may have.
  const shared = isSaid ? [...quotedIn(debit), ...(endToEndId === undefined ? [] : [endToEndId])] : []
  // The bank names the entry as it names it, we name it with its currency.
  const own = [...new Set(names.flatMap((name) => [name, entryName(name, currency)]))]
  return { minor, currency, own, shared }
}

/**
 * Returns the credit that the debit is about. Undefined: there is none, or more than one.
 * - A name that only one transfer has is enough, also for a part of its amount.
 * - A name that several transfers may have counts only for the whole amount, and not when the bank says that the money goes to
 *   somebody else.
 */
function creditOf(debit: Movement, found: readonly Credit[]): Credit | undefined {
  const { minor, currency } = debit
  const names = debit.names.flatMap((name) => [name, entryName(name, currency)])
  const remaining = found.filter(({ leftMinor }) => leftMinor >= minor)
  const ofName = remaining.filter(
    (each) => names.includes(each.reference) || names.some((name) => each.names.includes(name)),
  )
  if (ofName.length > 0) return onlyOf(ofName) ?? onlyOf(ofName.filter((each) => each.minor === minor))
  const whole = remaining.filter(
    (each) => each.leftMinor === minor && each.minor === minor && isSameParty(debit, each),
  )
  return whole.length < creditsMax ? (onlyOf(whole) ?? newestOfOne(whole)) : undefined
}

function onlyOf(credits: readonly Credit[]): Credit | undefined {
  return credits.length === 1 ? credits[0] : undefined
}

/** Of equal transfers for one payment it makes no difference which one goes back. */
function newestOfOne(credits: readonly Credit[]): Credit | undefined {
  const [newest] = credits
  const attempt = newest?.attemptId ?? undefined
  return attempt !== undefined && credits.every(({ attemptId }) => attemptId === attempt) ? newest : undefined
}

function isSameParty({ party }: Movement, { fact }: Credit): boolean {
  const [is, was] = [party?.iban, fact.party?.iban]
  return is === undefined || was === undefined || is === was
}
