// The movements of our own coins as the ledger books them. A final transfer between our places, or one without an explanation,
// moves exact units in our tables and whole cents in the books, in one transaction. Inspected by audit/rails/crypto-coins.ts.
import type { CoinFactSource, CoinView } from '#/coins/fact.ts'
import type { Tx } from '#/db/client.ts'
import { depositsOf, gasFact, kindOf, moveFact, placeMoves, deductMinor } from './coin-facts.ts'
import * as queries from './coin-movements-queries.ts'
import type { ChainTxId } from './outgoing.ts'

/** The movements of our own coins that the watchers found, and the costs of our transactions, ready for the ledger. */
export const coinMovements: CoinFactSource = {
  async due(sql, limit) {
    const due = await queries.selectDue(sql, limit)
    const groups = Map.groupBy(due, ({ group }) => group)
    return [...groups.values()].map((group) => group.map(({ id }) => id))
  },
  async load(tx, ids) {
    const [moves, gas] = await Promise.all([queries.selectDueMoves(tx, ids), queries.selectDueGas(tx, ids)])
    return coinView(moves, gas)
  },
}

/** A movement that is booked now, with the cents that it carries. */
type Booking = { readonly move: queries.DueMove; readonly minor: bigint }

function coinView(moves: readonly queries.DueMove[], gas: readonly queries.DueGas[]): CoinView {
  const deposits = depositsOf(moves)
  const dueMoves = new Map(moves.map((move) => [move.id, move]))
  const dueGas = new Map(gas.map((each) => [each.id, each]))
  const booked: Booking[] = []
  const spent: ChainTxId[] = []
  return {
    facts: [...moves.map((move) => moveFact(move, 0n)), ...gas.map(gasFact)],
    consume(id) {
      const cost = dueGas.get(id)
      if (cost !== undefined) {
        dueGas.delete(id)
        spent.push(id as ChainTxId)
        return gasFact(cost)
      }
      const move = dueMoves.get(id)
      const minor = move && deductMinor(move, deposits)
      if (move === undefined || minor === undefined) return undefined
      dueMoves.delete(id)
      booked.push({ move, minor })
      return moveFact(move, minor)
    },
    async save(tx, at) {
      if (spent.length > 0) await queries.markGasBooked(tx, spent)
      if (booked.length > 0) await saveMoves(tx, booked, at)
    },
  }
}

async function saveMoves(tx: Tx, booked: readonly Booking[], at: Date): Promise<void> {
  const moves = booked.map(({ move }) => move)
  const swept = moves.filter((move) => kindOf(move) === 'SWEPT')
  const atPlaces = placeMoves(moves)
  if (swept.length > 0)
    await queries.deductHeld(
      tx,
      swept.map(({ chain, sender, value }) => ({ chain, address: sender, units: value })),
    )
  if (atPlaces.length > 0) await queries.moveUnits(tx, atPlaces)
  await queries.writeBooked(
    tx,
    booked.map(({ move, minor }) => ({ id: move.id, as: kindOf(move), minor })),
    at,
  )
  await queries.meetRefills(
    tx,
    moves.map(({ id }) => id),
    at,
  )
}
