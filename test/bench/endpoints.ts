// How long an event takes to reach fifty webhook endpoints that work: alone, beside fifty more endpoints that work, and beside fifty
// endpoints that accept each call and never answer.
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { openEndpointWorld, type EndpointWorld } from '../endpoint-world.ts'
import { eventually } from '../eventually.ts'
import { startReceiver, type Call } from '../receiver.ts'
import { median, sampleOf, type Sample } from './stats.ts'

const measured = 50
/** Between two events: each goes to all endpoints. */
const everyMs = 100

/** `events` in each round. */
export async function measureEndpoints(rounds: number, events: number): Promise<string> {
  const world = await openEndpointWorld()
  const samples: { readonly alone: Sample; readonly all: Sample; readonly hanging: Sample }[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      samples.push({
        alone: await roundOf(world, 'none', events),
        all: await roundOf(world, 'working', events),
        hanging: await roundOf(world, 'hanging', events),
      })
    }
  } finally {
    await world.base.close()
  }
  const of = (pick: (sample: (typeof samples)[number]) => number) => median(samples.map(pick))
  const ratio = of(({ alone, hanging }) => hanging.p99 / alone.p99)
  const row = (what: string, pick: (sample: (typeof samples)[number]) => Sample) =>
    `| ${what} | ${Math.round(of((each) => pick(each).p50))} ms | ${Math.round(of((each) => pick(each).p99))} ms |`
  return [
    `| ${events} events to each of ${measured} endpoints that work | p50 | p99 | aim |`,
    '|---|--:|--:|---|',
    `${row('they are all', ({ alone }) => alone)}  |`,
    `${row(`${measured} others work too`, ({ all }) => all)}  |`,
    `${row(`${measured} others hang`, ({ hanging }) => hanging)} p99 ${ratio.toFixed(1)} × that of the first row, ≤ 2 ×: ${ratio <= 2 ? 'met' : 'missed'} |`,
  ].join('\n')
}

/** One round with a merchant of its own. Measures from the announcement to the call. */
async function roundOf(
  world: EndpointWorld,
  others: 'none' | 'working' | 'hanging',
  events: number,
): Promise<Sample> {
  const tenant = await world.base.openTenant()
  const announcedAt = new Map<number, number>()
  const latencies: number[] = []
  const isMeasured = (call: Call) => Number(call.path.slice(1)) < measured
  await using shop = await startReceiver((call) => {
    const { sequence } = JSON.parse(call.body.toString()) as { readonly sequence: number }
    const at = announcedAt.get(sequence)
    if (isMeasured(call) && at !== undefined) latencies.push(monotonicMs() - at)
    return isMeasured(call) || others === 'working' ? {} : undefined
  })
  for (let n = 0; n < (others === 'none' ? measured : 2 * measured); n += 1)
    await world.create(tenant, { url: `${shop.origin}/${n}` })
  await using _worker = world.deliver({ pollMs: 50 })
  const startedAt = monotonicMs()
  // The first ones make connections, and show which endpoints hang.
  const warmUp = 10
  for (let n = 1; n <= warmUp + events; n += 1) {
    if (n > warmUp) announcedAt.set(n, monotonicMs())
    await world.tell(tenant, 1)
    await sleep(everyMs)
  }
  await eventually('every event is there', () => latencies.length >= events * measured)
  return sampleOf(latencies, monotonicMs() - startedAt)
}
