// Compares what providers hold for us with what the books say. If money under way does not explain a difference, a person must
// look into it: money moved and the provider did not report it, or the provider kept some for itself.
import type { Sql } from '#/db/client.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { toDecimal, type Currency, type Money } from '#/kernel/money.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import * as queries from './reconcile-queries.ts'

export type BalanceDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly payoutRails: PayoutRails
  readonly connections: ConnectionBook
}

export type ComparedBalance = {
  /** The connection under which the books keep this account at the provider. */
  readonly connection: ConnectionId
  readonly mode: Mode
  readonly currency: Currency
  readonly bookedMinor: bigint
  /** The operator's own money at the provider, by the connection's setting `ownFunds`. The books do not contain it. */
  readonly ownMinor: bigint
  /** Absent: the provider did not answer. */
  readonly heldMinor?: bigint
  /** Why the provider could not be queried. */
  readonly why?: string
  /** Sent, or possibly sent, and its end is not known. */
  readonly underWayMinor: bigint
  /** `heldMinor` minus `bookedMinor` and `ownMinor`. */
  readonly differenceMinor?: bigint
  readonly verdict: BalanceVerdict
}

/**
 * - `agrees`: both are equal to the cent.
 * - `explained`: money under way can be the whole difference.
 * - `differs`: money under way cannot explain the difference.
 * - `silent`: the provider did not answer.
 * - `not_reported`: the provider reports no balance, so it was not queried.
 */
export type BalanceVerdict = 'agrees' | 'explained' | 'differs' | 'silent' | 'not_reported'

/** Queries every provider that reports a balance, and compares. Changes nothing. */
export async function compareBalances(deps: BalanceDeps): Promise<readonly ComparedBalance[]> {
  const answers = await Promise.all(sourcesOf(deps).map(query))
  const booked = await queries.selectBooked(deps.sql)
  const payers = answers.flatMap(({ account, payer }) => [account, payer])
  const leaving = await queries.selectUnderWay(deps.sql, [
    ...new Set([...payers, ...booked.map(({ connection }) => connection)]),
  ])
  return rowsOf(answers, booked, leaving)
}

/** Whether it needs a person. */
export function isDifference({ verdict }: ComparedBalance): boolean {
  return verdict === 'differs' || verdict === 'silent'
}

/** As `--json` and the jobs of operators show it: amounts as decimal numbers. */
export function balanceRecord({ connection, mode, currency, why, verdict, ...row }: ComparedBalance) {
  const text = (minor: bigint) => toDecimal({ minor, currency })
  return {
    connection,
    mode,
    currency,
    booked: text(row.bookedMinor),
    ...(row.heldMinor === undefined ? {} : { held: text(row.heldMinor) }),
    own: text(row.ownMinor),
    underWay: text(row.underWayMinor),
    ...(row.differenceMinor === undefined ? {} : { difference: text(row.differenceMinor) }),
    ...given({ why }),
    verdict,
  }
}

type Source = {
  /** `account`: the connection that the books name. `payer`: the connection that is queried and pays out. */
  readonly account: ConnectionId
  readonly payer: ConnectionId
  readonly mode: Mode
  readonly ownFunds: unknown
  readonly balance: () => Promise<readonly Money[]>
}

type Answer = Omit<Source, 'balance'> & { readonly held: readonly Money[]; readonly why?: string }

function sourcesOf({ rails, payoutRails, connections }: BalanceDeps): readonly Source[] {
  const collecting = [...rails.values()].flatMap(({ method, balance }) =>
    balance === undefined
      ? []
      : connections.all(method).map(({ id, mode, settings }) => ({
          account: id,
          payer: id,
          mode,
          ownFunds: settings['ownFunds'],
          balance: () => balance(id),
        })),
  )
  const paying = [...payoutRails.values()].flatMap(({ connectionMethod, balance, source }) =>
    balance === undefined || connectionMethod === undefined
      ? []
      : connections.all(connectionMethod).map(({ id, mode, settings }) => {
          const from = source(id)
          const account = from.at === 'PROVIDER' ? (from.account ?? id) : id
          return { account, payer: id, mode, ownFunds: settings['ownFunds'], balance: () => balance(id) }
        }),
  )
  return [...collecting, ...paying]
}

async function query({ balance, ...source }: Source): Promise<Answer> {
  try {
    return { ...source, held: await balance() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { ...source, held: [], why: messageOf(error) }
  }
}

function rowsOf(
  answers: readonly Answer[],
  booked: readonly queries.BookedBalance[],
  leaving: readonly queries.UnderWay[],
): readonly ComparedBalance[] {
  const keys = new Map<string, Pick<ComparedBalance, 'connection' | 'mode' | 'currency'>>()
  for (const { connection, mode, currency } of booked)
    keys.set(`${connection}/${currency}`, { connection, mode, currency })
  for (const { account, mode, held } of answers)
    for (const { currency } of held)
      keys.set(`${account}/${currency}`, { connection: account, mode, currency })
  return [...keys.values()].map(({ connection, mode, currency }) => {
    const itsAnswers = answers.filter(({ account }) => account === connection)
    const payers: readonly ConnectionId[] = [connection, ...itsAnswers.map(({ payer }) => payer)]
    const underWayMinor = leaving
      .filter((each) => payers.includes(each.connection) && each.currency === currency)
      .reduce((sum, each) => sum + each.minor, 0n)
    const bookedMinor = booked.find((each) => each.connection === connection && each.currency === currency)
    return compare({
      connection,
      mode,
      currency,
      bookedMinor: bookedMinor?.minor ?? 0n,
      underWayMinor,
      answer: itsAnswers.find(({ why }) => why === undefined) ?? itsAnswers[0],
    })
  })
}

function compare({
  answer,
  ...row
}: Pick<ComparedBalance, 'connection' | 'mode' | 'currency' | 'bookedMinor' | 'underWayMinor'> & {
  readonly answer: Answer | undefined
}): ComparedBalance {
  const ownMinor = ownFundsOf(answer?.ownFunds, row.currency)
  if (answer === undefined) return { ...row, ownMinor, verdict: 'not_reported' }
  if (answer.why !== undefined) return { ...row, ownMinor, why: answer.why, verdict: 'silent' }
  const heldMinor = answer.held.find(({ currency }) => currency === row.currency)?.minor ?? 0n
  const differenceMinor = heldMinor - row.bookedMinor - ownMinor
  return {
    ...row,
    ownMinor,
    heldMinor,
    differenceMinor,
    verdict: verdictOn(differenceMinor, row.underWayMinor),
  }
}

function verdictOn(differenceMinor: bigint, underWayMinor: bigint): BalanceVerdict {
  if (differenceMinor === 0n) return 'agrees'
  return differenceMinor < 0n && -differenceMinor <= underWayMinor ? 'explained' : 'differs'
}

/** The setting holds minor units by currency, as integers. Zero when it holds no such integer. */
function ownFundsOf(ownFunds: unknown, currency: Currency): bigint {
  const entries = ownFunds !== null && typeof ownFunds === 'object' ? Object.entries(ownFunds) : []
  const [, minor] = entries.find(([name]) => name === currency) ?? []
  return Number.isSafeInteger(minor) ? BigInt(minor as number) : 0n
}
