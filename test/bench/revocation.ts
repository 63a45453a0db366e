// `./vintem dev test/bench/revocation.ts`: how long a live stream of the dashboard continues after its session was ended. A person ends the
// session in another browser, at a process with few open streams and at one with many. Measured from the request to the end of the stream,
// and to the answer: median and maximum of fifty.
import { must } from '#/kernel/check.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { openDashboardWorld, type DashboardWorld, type Person } from '../dashboard/world.ts'

const rounds = 50
/** A merchant's readers that wait are at most fifty. */
const each = 50

const world = await openDashboardWorld()
console.log(
  '| streams open | ended: median ms | greatest | answered: median ms | greatest |\n|--:|--:|--:|--:|--:|',
)
for (const others of [0, 950]) {
  const leave = await openOthers(world, others)
  const timings: { readonly ended: number; readonly answered: number }[] = []
  for (let round = 0; round < rounds; round++) timings.push(await revokeOne(world))
  const cells = (['ended', 'answered'] as const).flatMap((what) => {
    const sorted = timings.map((one) => one[what]).toSorted((a, b) => a - b)
    return [sorted[rounds / 2], sorted.at(-1)].map((ms) => must(ms, 'a figure').toFixed(1))
  })
  console.log(`| ${[others + 1, ...cells].join(' | ')} |`)
  await leave()
}
await world.close()

async function revokeOne(at: DashboardWorld) {
  const { id } = await at.base.openTenant()
  const owner = await at.person([{ merchantId: id, role: 'OWNER' }])
  const elsewhere = await at.signIn(owner.userId, owner.email)
  const stream = await openStream(at, owner, id)
  const { body } = await elsewhere.ask('GET', '/api/me/sessions')
  const listed = body['data'] as readonly { readonly id: string; readonly isCurrent: boolean }[]
  const other = must(
    listed.find((one) => !one.isCurrent),
    'the other session',
  )
  const beganAt = monotonicMs()
  const since = () => monotonicMs() - beganAt
  const [ended, answered] = await Promise.all([
    stream.arrayBuffer().then(since),
    elsewhere.ask('DELETE', `/api/me/sessions/${other.id}`).then(since),
  ])
  return { ended, answered }
}

/** Streams of other people, each the only one of its person. */
async function openOthers(at: DashboardWorld, count: number): Promise<() => Promise<void>> {
  const streams: Response[] = []
  for (let left = count; left > 0; left -= each) {
    const { id } = await at.base.openTenant()
    for (let nth = 0; nth < Math.min(each, left); nth++)
      streams.push(await openStream(at, await at.person([{ merchantId: id, role: 'VIEWER' }]), id))
  }
  return async () => {
    await Promise.all(streams.map(({ body }) => body?.cancel()))
  }
}

async function openStream(at: DashboardWorld, { cookie }: Person, merchantId: string): Promise<Response> {
  const url = `http://127.0.0.1:${at.port}/api/m/${merchantId}/live`
  const answer = await fetch(url, { headers: { ...at.ownPage, cookie } })
  if (answer.status !== 200) throw new Error(`a stream: ${answer.status}`)
  return answer
}
