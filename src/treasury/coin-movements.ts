// The movements of our own coins as the ledger books them. A final transfer between our places, or one without an explanation,
// moves exact units in our tables and whole cents in the books, in one transaction. Inspected by audit/rails/crypto-coins.ts.
import type { CoinFactSource, CoinView, CoinFact } from '#/coins/fact.ts'
import { wholeCents } from '#/coins/units.ts'
import type { Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import * as queries from './coin-movements-queries.ts'
import type { BookedMove, DueGas, DueMove, PlaceMove } from './coin-movements-queries.ts'
import type { ChainTxId } from './outgoing.ts'

/** Whether there is anything to book. */
export const areCoinsDue: IsDue = (sql) => queries.isAnyToBook(sql)

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

// How the ledger books a final movement of our own coins, and the cost of a transaction. Pure.
// Inspected by audit/rails/crypto-coins.ts.

/**
 * - SWEPT: from a deposit address to a place of ours.
 * - MOVED: between two places.
 * - FOUND: it arrived, and nothing explains it.
 * - PAID: a payout, booked with its withdrawal.
 * - LEFT: it left, and nothing explains it.
 */
type MoveKind = BookedMove['as']

export function kindOf({ from, to, held, isPayout }: DueMove): MoveKind {
  if (from === 'hot' && isPayout) return 'PAID'
  if (to === null) return 'LEFT'
  if (from !== null) return 'MOVED'
  return held === undefined ? 'FOUND' : 'SWEPT'
}

/** What a deposit address has received in all, and what it holds now by our records, in base units. */
type DepositUnits = { readonly received: bigint; held: bigint }

/** The deposit addresses that these movements come from. */
export function depositsOf(moves: readonly DueMove[]): ReadonlyMap<string, DepositUnits> {
  return new Map(
    moves.flatMap((move) => {
      const { received, held } = move
      return received === undefined || held === undefined
        ? []
        : [[senderKey(move), { received, held }] as const]
    }),
  )
}

/**
 * The cents that a movement carries. Payments gave each address the whole cents of its running total of received units. A movement
 * out of the address carries the whole cents by which the running total of units that left has grown. So an empty address has
 * neither units nor cents. Undefined while the address holds less by our records, because a payment to it is not settled yet.
 */
export function deductMinor(move: DueMove, deposits: ReadonlyMap<string, DepositUnits>): bigint | undefined {
  if (kindOf(move) !== 'SWEPT') return isCounted(move) ? wholeCents(move.value) : 0n
  const account = must(deposits.get(senderKey(move)), 'a swept address is ours')
  if (account.held < move.value) return undefined
  const before = account.received - account.held
  account.held -= move.value
  return wholeCents(before + move.value) - wholeCents(before)
}

/** Whether cents move between two accounts. */
function isCounted(move: DueMove): boolean {
  const kind = kindOf(move)
  return kind === 'FOUND' || (kind === 'MOVED' && move.from !== move.to)
}

export function moveFact(move: DueMove, minor: bigint): CoinFact {
  const { id, mode, connection, chain, log: evidence, from, to } = move
  const common = { id, mode, connection, chain, minor, evidence }
  const kind = kindOf(move)
  if (kind === 'PAID' || to === null) return { ...common, what: kind === 'PAID' ? 'PAID' : 'LEFT' }
  if (kind === 'FOUND') return { ...common, what: 'FOUND', at: to }
  return { ...common, what: 'MOVED', from: from ?? 'deposit', to }
}

export function gasFact({ id, mode, connection, chain, wallet, gwei, evidence }: DueGas): CoinFact {
  return {
    what: 'GAS',
    id,
    mode,
    connection,
    chain,
    wallet,
    minor: gwei,
    evidence: evidence ?? Buffer.from(id),
  }
}

/** By how much the units at our places change. The units of a payout are deducted with its withdrawal. */
export function placeMoves(moves: readonly DueMove[]): readonly PlaceMove[] {
  const places = new Map<string, PlaceMove>()
  const add = (move: Omit<PlaceMove, 'place'> & { readonly place: PlaceMove['place'] | null }) => {
    const { chain, address, place } = move
    if (place === null) return
    const key = `${chain}/${address}`
    places.set(key, { ...move, place, units: (places.get(key)?.units ?? 0n) + move.units })
  }
  for (const move of moves) {
    const { chain, sender, recipient, from, to, value } = move
    const kind = kindOf(move)
    if (kind === 'PAID') continue
    if (kind === 'MOVED') add({ chain, address: sender, place: from, units: -value })
    add({ chain, address: recipient, place: to, units: value })
  }
  return [...places.values()]
}

function senderKey({ chain, sender }: DueMove): string {
  return `${chain}/${sender}`
}
