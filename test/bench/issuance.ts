// POST /v1/payments with and without an issuance log on the disk of the database: what its syncs cost many callers, and one alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { Place } from './place.ts'
import { startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'

const many = 100

export async function measureIssuance(place: Place, apiKey: string, pace: Pace): Promise<string> {
  const issuedIn = mkdtempSync(join(tmpdir(), 'vintem-bench-issuance-'))
  try {
    const tables = []
    for (const connections of [many, 1]) {
      const contenders = await Promise.all([
        serve('off', { place, creator: 'lane' }, { apiKey, connections }),
        serve('on', { place, creator: 'lane', issuedIn }, { apiKey, connections }),
      ])
      const of = await takeTurns(contenders, pace)
      const isMany = connections === many
      tables.push(
        table(`POST /v1/payments with an issuance log, ${connections} connection${isMany ? 's' : ''}`, [
          { what: 'without', samples: of('off') },
          {
            what: '**with it**',
            samples: of('on'),
            aims: [
              {
                than: 'of creation without it',
                samples: of('off'),
                atLeast: isMany ? 0.8 : 0.4,
                as: 'percent',
              },
            ],
          },
        ]),
      )
    }
    return tables.join('\n\n')
  } finally {
    rmSync(issuedIn, { recursive: true, force: true })
  }
}

async function serve(
  name: string,
  options: HttpServerOptions,
  to: Pick<HttpLoadOptions, 'apiKey' | 'connections'>,
): Promise<Contender> {
  const server = await startChild('./http-server.ts', options)
  const load = await startChild('./http-load.ts', { url: String(server.opened), ...to })
  return {
    name,
    run: load.run,
    async close() {
      await load.close()
      await server.close()
    },
  }
}
