// A hundred webhook endpoints of one merchant, and how long an event takes to those that work: while all work, and while half of them
// take each call and never answer.
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { openEndpointDesk, type EndpointDesk } from '../endpoint-desk.ts'
import { startReceiver, type Call } from '../receiver.ts'
import { median, sampleOf, type Sample } from './stats.ts'

const endpoints = 100
/** Between two events: each goes to all endpoints. */
const everyMs = 100

/** `events` in each round. */
export async function measureEndpoints(rounds: number, events: number): Promise<string> {
  const desk = await openEndpointDesk()
  const samples: { readonly calm: Sample; readonly hanging: Sample }[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      samples.push({
        calm: await roundOf(desk, 0, events),
        hanging: await roundOf(desk, endpoints / 2, events),
      })
    }
  } finally {
    await desk.site.close()
  }
  const of = (pick: (sample: (typeof samples)[number]) => number) => median(samples.map(pick))
  const ratio = of(({ calm, hanging }) => hanging.p99 / calm.p99)
  return [
    `| ${endpoints} endpoints, ${events} events, to those that work | p50 | p99 | aim |`,
    '|---|--:|--:|---|',
    `| all work | ${Math.round(of(({ calm }) => calm.p50))} ms | ${Math.round(of(({ calm }) => calm.p99))} ms |  |`,
    `| half of them hang | ${Math.round(of(({ hanging }) => hanging.p50))} ms | ${Math.round(of(({ hanging }) => hanging.p99))} ms, ${ratio.toFixed(1)} × | ≤ 2 ×: ${ratio <= 2 ? 'met' : 'missed'} |`,
  ].join('\n')
}

/** One round with a merchant of its own. Measures from the announcement to the call, at the endpoints that work in both kinds of round. */
async function roundOf(desk: EndpointDesk, hanging: number, events: number): Promise<Sample> {
  const tenant = await desk.site.openTenant()
  const toldAt = new Map<number, number>()
  const latencies: number[] = []
  const isMeasured = (call: Call) => Number(call.path.slice(1)) >= endpoints / 2
  await using shop = await startReceiver((call) => {
    const { sequence } = JSON.parse(call.body.toString()) as { readonly sequence: number }
    const at = toldAt.get(sequence)
    if (isMeasured(call) && at !== undefined) latencies.push(monotonicMs() - at)
    return Number(call.path.slice(1)) < hanging ? undefined : {}
  })
  for (let n = 0; n < endpoints; n += 1) await desk.create(tenant, { url: `${shop.origin}/${n}` })
  await using _worker = desk.deliver({ pollMs: 50 })
  const startedAt = monotonicMs()
  // The first ones make connections, and show which endpoints hang.
  const warmUp = 10
  for (let n = 1; n <= warmUp + events; n += 1) {
    if (n > warmUp) toldAt.set(n, monotonicMs())
    await desk.tell(tenant, 1)
    await sleep(everyMs)
  }
  await shop.until(() => latencies.length >= (events * endpoints) / 2)
  return sampleOf(latencies, monotonicMs() - startedAt)
}
