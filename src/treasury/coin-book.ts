// Our own coins, as the ledger books them: a final transfer between our places, or one that nothing explains, moves exact
// units in our tables and whole cents in the books, in one transaction.
// Inspected by audit/rails/crypto-coins.ts.
import { must } from '#/kernel/check.ts'
import type { CoinBook, CoinFact, CoinView } from '#/rails/coin-book.ts'
import { wholeCents } from '#/coins/chain.ts'
import * as queries from '#/coins/queries.ts'
import { insertFills, selectDueFills, type DueFill } from './gas-queries.ts'
import { markGasBooked, moveUnits } from './payout-queries.ts'
import type { ChainTxId } from './outgoing.ts'

/** What the watchers saw of our own coins and what our transactions cost, ready for the ledger. */
export const coinBook: CoinBook = {
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

/** A fill of a gas wallet becomes known only with its booking: a look at the chain found it. */
export function fillBook(found: ReadonlyMap<string, DueFill>): CoinBook {
  return {
    due: () => Promise.resolve([...found.keys()].map((id) => [id])),
    async load(tx, ids) {
      const fresh = await selectDueFills(
        tx,
        ids.map((id) => must(found.get(id), 'a fill that was found')),
      )
      const facts = new Map(fresh.map((each) => [each.fill.id, fillFact(each)]))
      const taken = new Set<string>()
      return {
        facts: [...facts.values()],
        take(id) {
          if (taken.has(id)) return undefined
          taken.add(id)
          return facts.get(id)
        },
        save: (tx, at) => insertFills(tx, fresh, at),
      }
    },
  }
}

function fillFact({
  fill,
  gwei,
  mode,
  connection,
}: Awaited<ReturnType<typeof selectDueFills>>[number]): CoinFact {
  return {
    what: 'GAS_BOUGHT',
    id: fill.id,
    mode,
    connection,
    chain: fill.chain,
    wallet: fill.wallet,
    minor: gwei,
    evidence: fill.evidence,
  }
}

type Held = { readonly received: bigint; held: bigint }

function coinView(moves: readonly queries.DueMove[], gas: readonly queries.DueGas[]): CoinView {
  const open = new Map<string, queries.DueMove | queries.DueGas>(
    [...moves, ...gas].map((each) => [each.id, each]),
  )
  const held = new Map<string, Held>()
  for (const { chain, sender, received, held: units } of moves) {
    if (received === undefined || units === undefined) continue
    held.set(`${chain}/${sender}`, { received, held: units })
  }
  const booked: { readonly move: queries.DueMove; readonly fact: CoinFact }[] = []
  const spent: ChainTxId[] = []
  return {
    facts: [...moves.map((move) => factOf(move, 0n)), ...gas.map(gasFact)],
    take(id) {
      const each = open.get(id)
      if (each === undefined) return undefined
      if ('gwei' in each) {
        open.delete(id)
        spent.push(id as ChainTxId)
        return gasFact(each)
      }
      const minor = minorOf(each, held)
      if (minor === undefined) return undefined
      open.delete(id)
      const fact = factOf(each, minor)
      booked.push({ move: each, fact })
      return fact
    },
    async save(tx, at) {
      if (spent.length > 0) await markGasBooked(tx, spent)
      if (booked.length > 0) await saveMoves(tx, booked, at)
    },
  }
}

/**
 * The cents that a movement carries. What leaves a deposit address takes the whole cents by which all that ever left it
 * grows, as each payment brought those by which all that ever came grew: an empty address has neither units nor cents.
 * Undefined while the address holds less by our records, because a payment to it is not settled yet.
 */
function minorOf(move: queries.DueMove, heldBy: ReadonlyMap<string, Held>): bigint | undefined {
  if (kindOf(move) !== 'SWEPT') return isCounted(move) ? wholeCents(move.value) : 0n
  const account = must(heldBy.get(`${move.chain}/${move.sender}`), 'a swept address is ours')
  if (account.held < move.value) return undefined
  const before = account.received - account.held
  account.held -= move.value
  return wholeCents(before + move.value) - wholeCents(before)
}

function kindOf({ from, to, held, isPayout }: queries.DueMove): queries.BookedMove['as'] {
  if (from === 'hot' && isPayout) return 'PAID'
  if (to === null) return 'LEFT'
  if (from !== null) return 'MOVED'
  return held === undefined ? 'FOUND' : 'SWEPT'
}

/** Whether cents move between two accounts. */
function isCounted(move: queries.DueMove): boolean {
  const kind = kindOf(move)
  return kind === 'FOUND' || (kind === 'MOVED' && move.from !== move.to)
}

function factOf(move: queries.DueMove, minor: bigint): CoinFact {
  const { id, mode, connection, chain, log: evidence, from, to } = move
  const common = { id, mode, connection, chain, minor, evidence }
  const kind = kindOf(move)
  if (kind === 'PAID' || kind === 'LEFT' || to === null)
    return { ...common, what: kind === 'PAID' ? 'PAID' : 'LEFT' }
  if (kind === 'FOUND') return { ...common, what: 'FOUND', at: to }
  return { ...common, what: 'MOVED', from: from ?? 'deposit', to }
}

function gasFact({ id, mode, connection, chain, wallet, gwei, evidence }: queries.DueGas): CoinFact {
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

async function saveMoves(
  tx: Parameters<CoinView['save']>[0],
  booked: readonly { readonly move: queries.DueMove; readonly fact: CoinFact }[],
  at: Date,
): Promise<void> {
  const swept = booked.filter(({ move }) => kindOf(move) === 'SWEPT').map(({ move }) => move)
  if (swept.length > 0) {
    await queries.takeHeld(
      tx,
      swept.map(({ chain, sender, value }) => ({ chain, address: sender, units: value })),
    )
  }
  const places = new Map<string, Parameters<typeof moveUnits>[1][number]>()
  const add = (
    chain: string,
    address: queries.DueMove['sender'],
    place: queries.PlaceName | null,
    units: bigint,
  ) => {
    if (place === null) return
    const key = `${chain}/${address}`
    places.set(key, { chain, address, place, units: (places.get(key)?.units ?? 0n) + units })
  }
  for (const { move } of booked) {
    const { chain, sender, recipient, from, to, value } = move
    const kind = kindOf(move)
    if (kind === 'PAID' || kind === 'LEFT') continue
    if (kind === 'MOVED') add(chain, sender, from, -value)
    add(chain, recipient, to, value)
  }
  if (places.size > 0) await moveUnits(tx, [...places.values()])
  await queries.writeBooked(
    tx,
    booked.map(({ move, fact }) => ({ id: move.id, as: kindOf(move), minor: fact.minor })),
    at,
  )
  await queries.meetRefills(
    tx,
    booked.map(({ move }) => move.id),
    at,
  )
}
