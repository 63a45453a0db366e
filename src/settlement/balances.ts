// What providers hold for us against what the books say they hold. A difference that nothing under way explains is one for
// a person: money came or went that nobody told us of, or the provider took something for itself.
import type { ConnectionBook } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Sql } from '#/db/client.ts'
import { messageOf, ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import * as queries from './balance-queries.ts'

export type BalanceDeps = {
  readonly sql: Sql
  readonly rails: Rails
  readonly payoutRails: PayoutRails
  readonly connections: ConnectionBook
}

export type ComparedBalance = {
  /** Whose account at the provider: the connection that the books name. */
  readonly connection: ConnectionId
  readonly mode: Mode
  readonly currency: Currency
  readonly bookedMinor: bigint
  /** What the operator keeps there of its own, by the connection's setting `ownFunds`: it is in no book. */
  readonly ownMinor: bigint
  /** Absent: the provider did not say. */
  readonly heldMinor?: bigint
  /** Of a provider that could not be asked, why. */
  readonly why?: string
  /** Sent, or perhaps sent, and not known to have left. */
  readonly underWayMinor: bigint
  /** Held less booked and our own. */
  readonly differenceMinor?: bigint
  readonly verdict: BalanceVerdict
}

/**
 * `agrees`: to the cent. `explained`: what is under way can be all of the difference. `differs`: it cannot. `silent`: the
 * provider did not answer. `not_asked`: it tells nobody a balance, so nothing is known.
 */
export type BalanceVerdict = 'agrees' | 'explained' | 'differs' | 'silent' | 'not_asked'

/** Asks every provider that can be asked, and compares. Changes nothing. */
export async function compareBalances(deps: BalanceDeps): Promise<readonly ComparedBalance[]> {
  const asked = await Promise.all(askersOf(deps).map(ask))
  const booked = await queries.selectBooked(deps.sql)
  const payers = asked.flatMap(({ account, payer }) => [account, payer])
  const leaving = await queries.selectUnderWay(deps.sql, [
    ...new Set([...payers, ...booked.map(({ connection }) => connection)]),
  ])
  return rowsOf(asked, booked, leaving)
}

type Asker = {
  /** Whose account the books name, and the connection by which it is asked and pays. */
  readonly account: ConnectionId
  readonly payer: ConnectionId
  readonly mode: Mode
  readonly ownFunds: unknown
  readonly balance: () => Promise<readonly Money[]>
}

type Asked = Omit<Asker, 'balance'> & { readonly held: readonly Money[]; readonly why?: string }

function askersOf({ rails, payoutRails, connections }: BalanceDeps): readonly Asker[] {
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

async function ask({ balance, ...asker }: Asker): Promise<Asked> {
  try {
    return { ...asker, held: await balance() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { ...asker, held: [], why: messageOf(error) }
  }
}

function rowsOf(
  asked: readonly Asked[],
  booked: readonly queries.BookedBalance[],
  leaving: readonly queries.UnderWay[],
): readonly ComparedBalance[] {
  const keys = new Map<string, Pick<ComparedBalance, 'connection' | 'mode' | 'currency'>>()
  for (const { connection, mode, currency } of booked)
    keys.set(`${connection}/${currency}`, { connection, mode, currency })
  for (const { account, mode, held } of asked)
    for (const { currency } of held)
      keys.set(`${account}/${currency}`, { connection: account, mode, currency })
  return [...keys.values()].map(({ connection, mode, currency }) => {
    const own = asked.filter(({ account }) => account === connection)
    const payers: readonly ConnectionId[] = [connection, ...own.map(({ payer }) => payer)]
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
      answer: own.find(({ why }) => why === undefined) ?? own[0],
    })
  })
}

function compare({
  answer,
  ...row
}: Pick<ComparedBalance, 'connection' | 'mode' | 'currency' | 'bookedMinor' | 'underWayMinor'> & {
  readonly answer: Asked | undefined
}): ComparedBalance {
  const ownMinor = ownOf(answer?.ownFunds, row.currency)
  if (answer === undefined) return { ...row, ownMinor, verdict: 'not_asked' }
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

/** Minor units by currency, as integers. Nothing where the setting says nothing that can be read. */
function ownOf(ownFunds: unknown, currency: Currency): bigint {
  const own = ownFunds !== null && typeof ownFunds === 'object' ? Object.entries(ownFunds) : []
  const [, minor] = own.find(([name]) => name === currency) ?? []
  return Number.isSafeInteger(minor) ? BigInt(minor as number) : 0n
}
