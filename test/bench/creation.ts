// POST /v1/payments over real HTTP: the cost of the database, and what group commit saves.
import { readConfig } from '#/config.ts'
import { writeBenchFigure } from '#/operator/bench-figure.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { Place } from './place.ts'
import { startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'
import { typical } from './stats.ts'

const connections = 100

/** The rounds of a whole run. */
const roundsKept = 7

export async function measureCreation(place: Place, apiKey: string, pace: Pace): Promise<string> {
  const contenders = await Promise.all(
    (['memory', 'one by one', 'lane'] as const).map((creator) => serve({ place, creator }, apiKey)),
  )
  const of = await takeTurns(contenders, pace)
  // A rough run says too little about the machine to be kept.
  if (pace.rounds >= roundsKept)
    await writeBenchFigure(readConfig(process.env).dataDir, {
      at: new Date(),
      paymentsPerSecond: Math.round(typical(of('lane')).perSecond),
    })
  return table(`POST /v1/payments, ${connections} connections`, [
    { what: 'without a database: the same server, the answer made up in memory', samples: of('memory') },
    { what: 'batches of one', samples: of('one by one') },
    {
      what: '**as it is**',
      samples: of('lane'),
      aims: [
        { than: 'of the server without a database', samples: of('memory'), atLeast: 0.6, as: 'percent' },
        { than: 'batches of one', samples: of('one by one'), atLeast: 3, as: 'times' },
      ],
    },
  ])
}

async function serve(options: HttpServerOptions, apiKey: string): Promise<Contender> {
  const server = await startChild('./http-server.ts', options)
  const target = { url: String(server.opened), apiKey, connections } satisfies HttpLoadOptions
  const load = await startChild('./http-load.ts', target)
  return {
    name: options.creator,
    run: load.run,
    async close() {
      await load.close()
      await server.close()
    },
  }
}
