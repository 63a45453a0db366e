// Whole charges, from the creation to the event about the money.
import type { ChargeLineOptions } from './charge-line.ts'
import type { Place } from './place.ts'
import { startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Pace } from './rounds.ts'

const clients = 1_000

export async function measureCharges(place: Place, pace: Pace): Promise<string> {
  const child = await startChild('./charge-line.ts', { place, clients } satisfies ChargeLineOptions)
  const of = await takeTurns([{ name: 'charges', run: child.run, close: child.close }], pace)
  return table(`Charges, ${clients.toLocaleString('en-US')} at a time`, [
    {
      what: '**created, settled, credited, announced**',
      samples: of('charges'),
      aims: [{ perSecondAtLeast: 2_000 }],
    },
  ])
}
