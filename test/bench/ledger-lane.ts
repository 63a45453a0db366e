// Transfers between wallets through the ledger lane of one process, as a kind of work like any other: books, chain,
// constraints, and one event for each transfer.
import { randomInt } from 'node:crypto'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { createLog } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { provider, walletAvailable, type AccountSpec } from '#/ledger/chart.ts'
import { runnable } from '#/ledger/kind.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { cell, type Place } from './place.ts'
import { beChild, drive } from './process.ts'

export type LedgerLaneOptions = {
  readonly place: Place
  /** Merchants with their wallets: a transfer is between two wallets of one merchant. */
  readonly merchants: readonly { readonly id: MerchantId; readonly wallets: readonly string[] }[]
  /** Whether every transfer debits the first wallet. */
  readonly isHot: boolean
  readonly clients: number
  readonly itemsMax: number
  /** The share of time in which something else blocks the event loop, in slices of 5 ms. */
  readonly busy: number
}

type Transfer = {
  readonly id: string
  readonly merchantId: MerchantId
  readonly debit: AccountSpec
  readonly credit: AccountSpec
  readonly minor: bigint
}

const sliceMs = 5

const transferKind = runnable<Transfer, undefined, true, 'moved', EventDraft>({
  name: 'bench transfer',
  async load({ books }, items) {
    await books.load(items.flatMap(({ debit, credit }) => [debit, credit]))
    return undefined
  },
  decide(_view, item, { books }) {
    const { id, merchantId, debit, credit, minor } = item
    const data = { id, amount: Number(minor), currency: debit.currency, from: debit.name, to: credit.name }
    const cause = sha256(`${id} ${debit.name} ${credit.name} ${minor}`)
    const result = books.post([
      { subject: id, step: '1.move', kind: 'TRANSFER', debit, credit, minor, cause },
    ])
    must(result.ok || undefined, 'the wallets of the bench have enough')
    const event = { merchantId, mode: debit.mode, type: 'payment.completed', resourceId: id, data } as const
    return { verdict: 'moved', change: true, events: [event] }
  },
  write: async () => {},
})

beChild(async ({ place, merchants, isHot, clients, itemsMax, busy }: LedgerLaneOptions) => {
  const lane = await createLedgerLane({
    openSql: () => connect(place.url, { max: 1 }),
    cell,
    auditKey: Buffer.from(place.auditKey),
    announce,
    log: createLog('warn', { role: 'bench', cell: 'a1' }),
    itemsMax,
  })
  const books = merchants.map(({ id, wallets }) => ({
    id,
    wallets: wallets.map((wallet) => walletAvailable('SANDBOX', wallet, 'USDT')),
  }))

  function nextTransfer(): Transfer {
    const { id: merchantId, wallets } = pick(books)
    const from = isHot ? 0 : randomInt(wallets.length)
    const to = (from + 1 + randomInt(wallets.length - 1)) % wallets.length
    const [debit, credit] = [must(wallets[from], 'a wallet'), must(wallets[to], 'another')]
    return { id: newId(), merchantId, debit, credit, minor: 1n }
  }

  await fund(lane, books)
  return {
    async run(spanMs) {
      const stop = busy > 0 ? blockLoop(busy) : undefined
      const sample = await drive(clients, spanMs, () => lane.submit(transferKind, nextTransfer()))
      stop?.()
      return sample
    },
    close: lane.close,
  }
})

type Lane = Awaited<ReturnType<typeof createLedgerLane<EventDraft>>>

/** Gives every wallet more than the bench can spend. */
async function fund(
  lane: Lane,
  books: readonly { id: MerchantId; wallets: readonly AccountSpec[] }[],
): Promise<void> {
  const source = provider('SANDBOX', 'bench', 'USDT')
  const gifts = books.flatMap(({ id, wallets }) =>
    wallets.map((credit) => ({ id: newId(), merchantId: id, debit: source, credit, minor: 1_000_000_000n })),
  )
  await Promise.all(gifts.map((gift) => lane.submit(transferKind, gift)))
}

/** Blocks the loop as other work of the process would. Returns a function that stops it. */
function blockLoop(share: number): () => void {
  let isOver = false
  const block = () => {
    if (isOver) return
    const until = performance.now() + sliceMs
    while (performance.now() < until);
    setTimeout(block, (sliceMs * (1 - share)) / share)
  }
  block()
  return () => {
    isOver = true
  }
}

function pick<T>(values: readonly T[]): T {
  return must(values[randomInt(values.length)], 'something to pick from')
}
