// Transfers between wallets through the ledger lane, compared with one transaction for each transfer, and with a well-known reference for
// databases: the transaction of pgbench.
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import type { LedgerLaneOptions } from './ledger-lane.ts'
import type { Place } from './place.ts'
import { startChild, type Child } from './process.ts'
import { table, type Aim } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'
import { together, type Sample } from './stats.ts'
import { makeTpcb, type TpcbOptions } from './tpcb-tables.ts'

const clients = 1_000

/** One merchant whose first wallet pays the 999 others; and a hundred merchants with ten wallets each. */
const hot = [{ id: newId<'merchant'>(), wallets: Array.from({ length: 1_000 }, () => newId()) }]
const thousand = Array.from({ length: 100 }, () => ({
  id: newId<'merchant'>(),
  wallets: Array.from({ length: 10 }, () => newId()),
}))

export async function measureTransfers(place: Place, ownerUrl: string, pace: Pace): Promise<string> {
  const lane = { place, clients, itemsMax: 500, busy: 0 }
  const [onHot, onThousand] = [
    { ...lane, merchants: hot, isHot: true },
    { ...lane, merchants: thousand, isHot: false },
  ]
  await makeTpcb(ownerUrl)
  const { connections, ...tpcb } = await bestTpcb(ownerUrl, pace.spanMs)
  const of = await takeTurns(
    [
      tpcb,
      await lanes('hot, one by one', { ...onHot, itemsMax: 1 }),
      await lanes('hot', onHot),
      await lanes('thousand', onThousand),
      await lanes('hot, 2', onHot, 2),
      await lanes('hot, 4', onHot, 4),
      await lanes('thousand, 2', onThousand, 2),
      await lanes('thousand, 4', onThousand, 4),
      await lanes('hot, busy', { ...onHot, busy: 0.5 }),
    ],
    pace,
  )
  const aims: readonly Aim[] = [
    { than: 'one by one', samples: of('hot, one by one'), atLeast: 10, as: 'times' },
    { than: 'TPC-B', samples: of(tpcb.name), atLeast: 8, as: 'times' },
  ]
  const beside = (name: string): readonly Aim[] => [
    { than: 'of one process', samples: of(name), as: 'percent' },
  ]
  return table(`Transfers, ${clients.toLocaleString('en-US')} clients`, [
    { what: `TPC-B-like transactions, ${connections} connections (the best number)`, samples: of(tpcb.name) },
    { what: 'one hot wallet, batches of one', samples: of('hot, one by one') },
    { what: '**one hot wallet**', samples: of('hot'), aims },
    { what: '**1,000 wallets**', samples: of('thousand'), aims },
    { what: 'one hot wallet, 2 processes', samples: of('hot, 2'), aims: beside('hot') },
    { what: 'one hot wallet, 4 processes', samples: of('hot, 4'), aims: beside('hot') },
    { what: '1,000 wallets, 2 processes', samples: of('thousand, 2'), aims: beside('thousand') },
    { what: '1,000 wallets, 4 processes', samples: of('thousand, 4'), aims: beside('thousand') },
    {
      what: 'one hot wallet, event loop blocked half of the time',
      samples: of('hot, busy'),
      aims: beside('hot'),
    },
  ])
}

/** The clients spread over several processes, each with a lane of its own to the same head. */
async function lanes(name: string, options: LedgerLaneOptions, processes = 1): Promise<Contender> {
  const share = { ...options, clients: Math.round(options.clients / processes) }
  const children: Child[] = []
  for (let count = 0; count < processes; count += 1)
    children.push(await startChild('./ledger-lane.ts', share))
  return {
    name,
    run: async (spanMs) => together(await Promise.all(children.map((child) => child.run(spanMs)))),
    close: async () => {
      for (const child of children) await child.close()
    },
  }
}

/** TPC-B with the number of connections that serves it best here. */
async function bestTpcb(
  ownerUrl: string,
  spanMs: number,
): Promise<Contender & { readonly connections: number }> {
  const tried: { readonly sample: Sample; readonly connections: number }[] = []
  for (const connections of [4, 8, 16, 32, 64]) {
    const child = await startChild('./tpcb.ts', { ownerUrl, connections } satisfies TpcbOptions)
    await child.run(spanMs / 2)
    tried.push({ sample: await child.run(spanMs), connections })
    await child.close()
  }
  const [best] = tried.toSorted((a, b) => b.sample.perSecond - a.sample.perSecond)
  const { connections } = must(best, 'one is the best')
  const child = await startChild('./tpcb.ts', { ownerUrl, connections } satisfies TpcbOptions)
  return { name: 'tpcb', connections, run: child.run, close: child.close }
}
