// The worker that sends due deliveries. It claims each delivery for a lease, sends it and records the answer. When a worker dies in
// between, its claim runs out and another worker sends the delivery again: at least once, never dropped.
import type { Sql } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { messageOf } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { createWakeUp } from '#/kernel/wake-up.ts'
import { createAttempts, type AttemptOptions, type SecretsOf } from './attempt.ts'
import { createAgenda, type Agenda, type Caps } from './due/agenda.ts'
import { createDiscovery } from './due/discovery.ts'
import * as queries from './due/queries.ts'
import type { ClaimedDelivery, Turn } from './due/queries.ts'
import { createRecorder } from './due/recorder.ts'
import type { Receiver } from './event.ts'

export type DelivererOptions = AttemptOptions & {
  /** A pool with room for two transactions at once: one claims while another records. */
  readonly sql: Sql
  /** The merchant's webhook secrets in force, the newest first. */
  readonly secretsOf: SecretsOf
  /** The most deliveries in flight at once from this process. */
  readonly concurrency?: Partial<Caps>
  /** How often to poll without a wake-up. */
  readonly pollMs?: number
  /** How long a claim lasts. Default: twice the longest send. */
  readonly leaseMs?: number
  /** How long to wait for answers when asked to stop. */
  readonly graceMs?: number
}

export type Deliverer = {
  /**
   * Sends until `signal` is aborted; resolves when every delivery in flight is recorded or released. `restMs`: how long to sleep while nothing
   * is to be sent, where a glance wakes it.
   */
  run(signal: AbortSignal, restMs?: number): Promise<void>
  readonly isDue: IsDue
  /** Polls now instead of at the next interval: something new may be due. */
  wake(): void
}

const capsByDefault: Caps = { total: 1_024, suspects: 512, merchant: 512, receiver: 32 }

/** The most deliveries in one claim. */
const claimMax = 512

/** The pause between attempts at a receiver that only fails. */
const suspectRestMs = 50

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { sql, log } = options
  const agenda = createAgenda({ ...capsByDefault, ...options.concurrency })
  const discovery = createDiscovery(sql, options.pollMs ?? 1_000)
  const recorder = createRecorder(sql, log)
  const attempts = createAttempts(options)
  const wakeUp = createWakeUp()
  /** Claimed, and neither recorded nor released. */
  const held = new Set<ClaimedDelivery>()
  let stopped = false

  /** Returns whether there was anything to claim. */
  async function turn(): Promise<boolean> {
    const found = discovery.dueInMs() === 0 ? await discovery.poll() : []
    for (const receiver of found) agenda.add(receiver)
    const turns = agenda.nextTurns(claimMax)
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

  function rested(receiver: Receiver): void {
    agenda.add(receiver)
    wakeUp.wake()
  }

  /** Waits up to `graceMs` for answers, breaks off the rest, and releases the deliveries without an answer. */
  async function finish(): Promise<void> {
    const giveUpAt = monotonicMs() + (options.graceMs ?? 3_000)
    while (held.size > 0 && monotonicMs() < giveUpAt) await sleep(10)
    stopped = true
    attempts.close()
    await recorder.close()
    await releaseHeld(options, [...held])
  }

  return {
    isDue: queries.isAnyPending,
    wake() {
      discovery.soon()
      wakeUp.wake()
    },
    async run(signal, restMs) {
      signal.addEventListener('abort', () => wakeUp.wake(), { once: true })
      while (!signal.aborted) {
        wakeUp.reset()
        try {
          if (await turn()) continue
        } catch (error) {
          log.warn({ error: messageOf(error) }, 'due deliveries cannot be read now')
          await sleep(500, signal)
        }
        await wakeUp.wait(restMs ?? discovery.dueInMs())
      }
      await finish()
    },
  }
}

async function releaseHeld({ sql, log }: DelivererOptions, held: readonly ClaimedDelivery[]): Promise<void> {
  if (held.length === 0) return
  try {
    await queries.releaseClaims(sql, held)
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'claims were not released; they run out by themselves')
  }
}

/** Claims deliveries for the turns, and reports to the agenda how many each turn got. */
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
    for (const each of turns) agenda.claimed(each, counts.get(keyOf(each.receiver)) ?? 0)
  }
}

/** Loads the secrets of each merchant once, so a claim of many deliveries decrypts each secret once. */
function once(secretsOf: SecretsOf): SecretsOf {
  const secrets = new Map<MerchantId, Promise<readonly Buffer[]>>()
  return (merchantId) => {
    const loading = secrets.get(merchantId) ?? secretsOf(merchantId)
    secrets.set(merchantId, loading)
    return loading
  }
}

function keyOf({ merchantId, origin }: Receiver): string {
  return `${merchantId} ${origin}`
}
