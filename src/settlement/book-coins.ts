// Books what happened to our own coins on a chain: sweeps, refills, gas, and coins that nothing explains. It changes no payment
// and no wallet of a merchant.
import type { CoinFactSource, CoinFact, CoinView } from '#/coins/fact.ts'
import type { Sql } from '#/db/client.ts'
import type { Log } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import * as recipes from '#/ledger/recipes.ts'
import { postAll } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'

/** Ids of facts that are booked in one transaction. */
type CoinItem = readonly string[]

/** The facts that were booked now. */
type CoinVerdict = readonly CoinFact[]

export type CoinKind = RunnableKind<CoinItem, CoinVerdict, EventDraft>

/** Books facts of our own coins, as a kind of work for the ledger lane. */
export function coinKind(book: CoinFactSource): CoinKind {
  return runnable<CoinItem, CoinView, CoinView, CoinVerdict, EventDraft>({
    name: 'book our own coins',
    async load({ tx, books }, items) {
      const view = await book.load(tx, items.flat())
      await books.load(view.facts.flatMap(accountsOf))
      return view
    },
    decide(view, ids, batch) {
      const facts = ids.flatMap((id) => view.consume(id) ?? [])
      for (const fact of facts) postAll(batch, postingsOf(fact))
      return facts.length === 0 ? { verdict: facts } : { verdict: facts, change: view }
    },
    // One view serves all items of the batch.
    write: async ({ tx, at }, [view]) => view?.save(tx, at),
  })
}

export type CoinBookerDeps = {
  readonly sql: Sql
  readonly lane: Pick<LedgerLane<EventDraft>, 'submit'>
  readonly book: CoinFactSource
  readonly kind: CoinKind
  readonly log: Log
}

const groupsMax = 500

/** Books what is due, and logs what nothing explains. Returns how many facts were booked. */
export async function bookCoins({ sql, lane, book, kind, log }: CoinBookerDeps): Promise<number> {
  const groups = await book.due(sql, groupsMax)
  const booked = (await Promise.all(groups.map((ids) => lane.submit(kind, ids)))).flat()
  for (const { what, chain, id } of booked) {
    if (what === 'FOUND') log.error({ chain, move: id }, 'coins came to us and nothing here explains them')
    if (what === 'LEFT') log.error({ chain, move: id }, 'coins left us and nothing here explains it')
  }
  return booked.length
}

function postingsOf(fact: CoinFact): readonly Posting[] {
  const { id, mode, connection, chain, minor, evidence } = fact
  const occasion: recipes.Occasion = { subject: id, ordinal: 1, cause: sha256(evidence) }
  const coins = (place: Parameters<typeof chart.coins>[3]) => chart.coins(mode, chain, 'USDT', place)
  switch (fact.what) {
    case 'MOVED':
      if (fact.from === fact.to) return []
      return recipes.coinsMoved(occasion, { from: coins(fact.from), to: coins(fact.to) }, minor)
    case 'FOUND':
      return recipes.suspended(
        occasion,
        { arrival: coins(fact.at), suspense: chart.suspense(mode, connection, 'USDT') },
        minor,
      )
    case 'GAS': {
      const cost = chart.cost(mode, 'gas', 'BNB')
      return recipes.gasSpent(occasion, { gas: chart.gas(mode, chain, fact.wallet), cost }, minor)
    }
    case 'GAS_BOUGHT': {
      const equity = chart.equity(mode, 'BNB')
      return recipes.gasBought(occasion, { gas: chart.gas(mode, chain, fact.wallet), equity }, minor)
    }
    case 'PAID':
    case 'LEFT':
      return []
  }
}

function accountsOf(fact: CoinFact): readonly chart.AccountSpec[] {
  return postingsOf(fact).flatMap(({ debit, credit }) => [debit, credit])
}
