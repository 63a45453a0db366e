// Webhooks alone: a database, merchants with events, and workers under a clock that the test moves.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type Sql } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { announce } from '#/webhooks/announce.ts'
import { createDeliverer, type DelivererOptions } from '#/webhooks/deliver.ts'
import { listDeliveries, type DeliveryRow } from '#/webhooks/delivery-queries.ts'
import type { EventDraft, WrittenEvent } from '#/webhooks/event.ts'
import { stoppedClock, worldClock, type WorldClock } from './clock.ts'
import { testDatabase } from './postgres.ts'

/** Every mode may call this machine by http: tests have no other receivers. */
export const loopbackPolicy = { allowHttp: true, allowLoopback: true } as const

export type WebhookWorld = AsyncDisposable & {
  readonly sql: Sql
  readonly appUrl: string
  readonly ownerUrl: string
  readonly clock: WorldClock
  readonly secret: Buffer
  /** Writes the drafts as one batch. */
  announce(drafts: readonly EventDraft[], at?: Date): Promise<readonly WrittenEvent[]>
  /** Writes events of the merchant that go to the URL, as one batch. */
  tell(merchantId: MerchantId, url: string, events?: number, at?: Date): Promise<readonly WrittenEvent[]>
  /** Starts a worker that polls often. It stops when disposed of. */
  work(more?: Partial<DelivererOptions>): AsyncDisposable & { wake(): void }
  /** The merchant's deliveries, oldest first, as soon as `enough` holds for them. Rejects after `waitMs`. */
  deliveries(
    merchantId: MerchantId,
    enough: (rows: readonly DeliveryRow[]) => boolean,
    waitMs?: number,
  ): Promise<readonly DeliveryRow[]>
}

/** The clock stands still until the test moves it, unless it is to run: for workers in processes of their own. */
export async function openWebhooks(pace?: 'running'): Promise<WebhookWorld> {
  const database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4 })
  const clock = await (pace === 'running' ? worldClock : stoppedClock)(database, new Date())
  const secret = randomBytes(24)
  let batch = 0n
  const write: WebhookWorld['announce'] = (drafts, at = clock.now()) =>
    sql.begin((tx) => {
      batch += 1n
      return announce(tx, drafts, { batch, at })
    })
  return {
    sql,
    appUrl: database.appUrl,
    ownerUrl: database.ownerUrl,
    clock,
    secret,
    announce: write,
    tell: (merchantId, webhookUrl, events = 1, at = clock.now()) =>
      write(
        Array.from({ length: events }, (_, n) =>
          draftOf(merchantId, { webhookUrl, data: { n, name: 'Conceição' } }),
        ),
        at,
      ),
    work: (more = {}) => startWorker({ sql, clock, secretsOf: async () => [secret], ...more }),
    async deliveries(merchantId, enough, waitMs = 20_000) {
      const giveUpAt = performance.now() + waitMs
      while (performance.now() < giveUpAt) {
        const { data } = await listDeliveries(sql, merchantId, { limit: 10_000 })
        if (enough(data)) return data.toReversed()
        await wait(20)
      }
      throw new Error('the deliveries never came to the state that was waited for')
    },
    async [Symbol.asyncDispose]() {
      await sql.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

export function draftOf(merchantId: MerchantId, more: Partial<EventDraft> = {}): EventDraft {
  return { merchantId, mode: 'SANDBOX', type: 'payment.completed', resourceId: newId(), data: {}, ...more }
}

function startWorker(
  options: Pick<DelivererOptions, 'sql' | 'clock' | 'secretsOf'> & Partial<DelivererOptions>,
) {
  const deliverer = createDeliverer({
    policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
    log: silentLog,
    openSecret: () => {
      throw new Error('no endpoints in this world')
    },
    pollMs: 20,
    graceMs: 200,
    random: () => 0.5,
    ...options,
  })
  const stop = new AbortController()
  const running = deliverer.run(stop.signal)
  return {
    wake: () => deliverer.wake(),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
