// The worker that sends what is due. Each delivery is claimed for a while, sent, and its answer written; a worker that
// dies in between leaves a claim that runs out, and the delivery is sent again: at least once, never dropped.
import { createWakeUp } from '#/kernel/wake-up.ts'
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { createAttempts, type AttemptOptions, type SecretsOf } from './attempt.ts'
import { createAgenda, type Agenda, type Caps } from './due/agenda.ts'
import { createDiscovery } from './due/discovery.ts'
import * as queries from './due/queries.ts'
import type { ClaimedDelivery, Turn } from './due/queries.ts'
import { createRecorder } from './due/recorder.ts'
import type { Endpoint } from './event.ts'

export type DelivererOptions = AttemptOptions & {
  /** A pool with room for two transactions at once: one claims while another records. */
  readonly sql: Sql
  /** The merchant's webhook secrets in force, the newest first. */
  readonly secretsOf: SecretsOf
  /** The most deliveries in flight at once from this process. */
  readonly concurrency?: Partial<Caps>
  /** How often to look without being woken. */
  readonly pollMs?: number
  /** How long a claim holds: twice the longest send, unless told. */
  readonly leaseMs?: number
  /** How long to wait for answers when told to stop. */
  readonly graceMs?: number
}

export type Deliverer = {
  /** Sends until `signal` is aborted; resolves when everything under way is recorded or given back. */
  run(signal: AbortSignal): Promise<void>
  /** There is something new: look now instead of at the next poll. */
  wake(): void
}

const capsByDefault: Caps = { total: 1_024, suspects: 512, merchant: 512, endpoint: 32 }

/** Deliveries in one claim. */
const claimMax = 512

/** Between the attempts at an endpoint that only fails. */
const suspectRestMs = 50

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { sql, log } = options
  const agenda = createAgenda({ ...capsByDefault, ...options.concurrency })
  const discovery = createDiscovery(sql, options.pollMs ?? 1_000)
  const recorder = createRecorder(sql, log)
  const attempts = createAttempts(options)
  const wakeUp = createWakeUp()
  /** Claimed, and neither recorded nor given back. */
  const held = new Set<ClaimedDelivery>()
  let stopped = false

  /** Answers whether there was anything to claim. */
  async function turn(): Promise<boolean> {
    if (discovery.dueInMs() === 0) {
      for (const endpoint of await discovery.look()) agenda.add(endpoint)
    }
    const turns = agenda.take(claimMax)
    if (turns.length === 0) return false
    const claimed = await claim(options, agenda, turns)
    const secretsOf = once(options.secretsOf)
    for (const delivery of claimed) {
      held.add(delivery)
      void attempt(delivery, secretsOf)
    }
    return true
  }

  async function attempt(delivery: ClaimedDelivery, secretsOf: SecretsOf): Promise<void> {
    const result = await attempts.make(delivery, secretsOf)
    if (stopped) return
    held.delete(delivery)
    if (result !== undefined) recorder.record(result)
    const standing = agenda.settled(delivery, result?.status === 'DELIVERED')
    if (standing === 'suspect') setTimeout(rested, suspectRestMs, delivery).unref()
    wakeUp.wake()
  }

  function rested(endpoint: Endpoint): void {
    agenda.add(endpoint)
    wakeUp.wake()
  }

  /** Waits a little for answers, breaks off the rest, and gives back what got none. */
  async function finish(): Promise<void> {
    const giveUpAt = monotonicMs() + (options.graceMs ?? 3_000)
    while (held.size > 0 && monotonicMs() < giveUpAt) await sleep(10)
    stopped = true
    attempts.close()
    await recorder.close()
    await giveBack(options, [...held])
  }

  return {
    wake() {
      discovery.soon()
      wakeUp.wake()
    },
    async run(signal) {
      signal.addEventListener('abort', () => wakeUp.wake(), { once: true })
      while (!signal.aborted) {
        wakeUp.reset()
        try {
          if (await turn()) continue
        } catch (error) {
          log.warn({ error: messageOf(error) }, 'webhooks cannot be read right now')
          await sleep(500, signal)
        }
        await wakeUp.wait(discovery.dueInMs())
      }
      await finish()
    },
  }
}

async function giveBack({ sql, log }: DelivererOptions, held: readonly ClaimedDelivery[]): Promise<void> {
  if (held.length === 0) return
  try {
    await queries.releaseClaims(sql, held)
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'claims were not given back; they run out by themselves')
  }
}

/** Claims what the turns ask for, and tells the agenda what they got. */
async function claim(
  { sql, totalMs = 15_000, leaseMs = 2 * totalMs }: DelivererOptions,
  agenda: Agenda,
  turns: readonly Turn[],
): Promise<readonly ClaimedDelivery[]> {
  const counts = new Map<string, number>()
  try {
    const claimed = await queries.claimDue(sql, turns, newId(), leaseMs)
    for (const delivery of claimed) counts.set(keyOf(delivery), (counts.get(keyOf(delivery)) ?? 0) + 1)
    return claimed
  } finally {
    for (const each of turns) agenda.claimed(each, counts.get(keyOf(each.endpoint)) ?? 0)
  }
}

/** Asks once for each merchant, so a claim of many deliveries opens each secret once. */
function once(secretsOf: SecretsOf): SecretsOf {
  const asked = new Map<MerchantId, Promise<readonly Buffer[]>>()
  return (merchantId) => {
    const known = asked.get(merchantId) ?? secretsOf(merchantId)
    asked.set(merchantId, known)
    return known
  }
}

function keyOf({ merchantId, origin }: Endpoint): string {
  return `${merchantId} ${origin}`
}
