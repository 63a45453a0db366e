// Webhooks: `POST {webhookUrl}/pix` with the bank's client certificate. The receiver's certificate must be of the bank's
// authority. What fails is tried again on a compressed table, and then no more.
import { Agent, request } from 'undici'
import { iso, now } from '../kit/clock.ts'
import type { Book } from './book.ts'
import { foreignIdentity, type Authority } from './certificates.ts'
import type { Delivery, Modes } from './events.ts'
import type { Account } from './state.ts'

/** Seconds before the second, third … attempt. */
const retrySeconds = [1, 2, 4, 8, 16] as const
const timeoutMs = 10_000
const lateSeconds = 30
/** How long a webhook waits for another to go first. */
const holdSeconds = 5

export const webhookWays = ['send', 'lose', 'repeat', 'late', 'reorder'] as const
/** How one webhook goes, whatever the modes say. */
export type WebhookWay = (typeof webhookWays)[number]

export type Dispatch = {
  /** Tells the holder of a key, if it has a webhook. Call it inside `book.together`. */
  notify(
    account: Account,
    items: readonly unknown[],
    how?: WebhookWay | { readonly afterSeconds: number },
  ): void
  /** Tells at once, once. */
  deliverNow(account: Account, items: readonly unknown[]): Promise<void>
  /** One attempt of a delivery that is due. */
  attempt(task: number, delivery: Delivery): Promise<void>
  /**
   * The two calls before a webhook is registered, as Efí makes them: one without a certificate, which the receiver must
   * refuse, unless `skipsCheck`; one with. Answers what was wrong.
   */
  probe(url: string, skipsCheck: boolean): Promise<string | undefined>
  close(): Promise<void>
}

type Wiring = {
  readonly book: Book
  readonly authority: Authority
  /** A span of the bank's own time, in milliseconds. */
  readonly span: (seconds: number) => number
}

export function createDispatch({ book, authority, span }: Wiring): Dispatch {
  const post = createPost(authority)
  const schedule = (delivery: Delivery, delayMs: number) =>
    void book.schedule(delayMs, { do: 'deliver', ...delivery })
  const send = async (pixKey: string, items: readonly unknown[]): Promise<string | undefined> => {
    const url = book.state.accounts.get(pixKey)?.webhook?.url
    if (url === undefined) return 'no webhook is registered'
    await book.kept()
    return post(`${url}/pix`, { pix: items }, book.state.modes.badCert ? 'foreign' : 'own')
  }
  return {
    notify: (account, items, how) => {
      const { pixKey } = account
      const at = now()
      if (account.webhook === undefined) return
      const { state } = book
      const plan = typeof how === 'object' ? planOf('send', state.modes) : planOf(how, state.modes)
      if (plan.lost) {
        if (how === undefined && typeof state.modes.lose === 'number')
          book.record({ type: 'modes.set', at, modes: { ...state.modes, lose: state.modes.lose - 1 } })
        book.record({ type: 'webhook.lost', at, pixKey, about: aboutOf(items) })
        return
      }
      const delayMs =
        typeof how === 'object' ? span(how.afterSeconds) : how === 'late' ? span(lateSeconds) : plan.delayMs
      const holds = plan.reorders && heldOf(book, pixKey).length === 0
      const delivery: Delivery = { pixKey, items, tried: 0, ...(holds ? { held: true } : {}) }
      for (let n = 0; n < plan.times; n++) schedule(delivery, holds ? span(holdSeconds) : delayMs)
    },
    deliverNow: async (account, items) => {
      const { pixKey } = account
      const error = await send(pixKey, items)
      book.record(outcomeOf({ pixKey, items, tried: 0 }, error, true))
    },
    attempt: async (task, delivery) => {
      const { pixKey, items, tried } = delivery
      const error = await send(pixKey, items)
      // The task may be gone: the bank was reset meanwhile.
      if (!book.state.tasks.has(task)) return
      book.together(() => {
        const seconds = error === undefined ? undefined : retrySeconds[tried]
        book.record(outcomeOf(delivery, error, seconds === undefined))
        book.record({ type: 'task.ended', at: now(), task })
        if (seconds !== undefined) schedule({ pixKey, items, tried: tried + 1 }, span(seconds))
      })
    },
    probe: async (url, skipsCheck) => {
      const body = { evento: 'teste_webhook', data_criacao: iso(now()) }
      // Efí calls the address itself; a receiver that knows only what the standard calls is tried there.
      for (const target of [url, `${url}/pix`]) {
        if (!skipsCheck && (await post(target, body, 'none')) === undefined)
          return 'the call without a certificate was not refused'
        const error = await post(target, body, 'own')
        if (error === undefined) return undefined
        if (error !== 'status 404' || target !== url) return `the call with a certificate failed: ${error}`
      }
      return undefined
    },
    close: post.close,
  }
}

type Plan = {
  readonly lost: boolean
  readonly times: number
  readonly delayMs: number
  readonly reorders: boolean
}

function planOf(way: WebhookWay | undefined, modes: Modes): Plan {
  if (way === undefined) {
    const lost = typeof modes.lose === 'number' ? modes.lose > 0 : modes.lose
    return { lost, times: modes.repeat, delayMs: modes.delayMs, reorders: modes.reorder }
  }
  return { lost: way === 'lose', times: way === 'repeat' ? 3 : 1, delayMs: 0, reorders: way === 'reorder' }
}

/** The deliveries of a key that wait for another to go first. */
export function heldOf({ state }: Book, pixKey: string): readonly number[] {
  return [...state.held].filter((task) => {
    const what = state.tasks.get(task)?.what
    return what?.do === 'deliver' && what.pixKey === pixKey
  })
}

function outcomeOf({ pixKey, items, tried }: Delivery, error: string | undefined, isLast: boolean) {
  const about = aboutOf(items)
  const at = now()
  if (error === undefined) return { type: 'webhook.delivered', at, pixKey, about } as const
  return { type: 'webhook.failed', at, pixKey, about, tried: tried + 1, error, givenUp: isLast } as const
}

function aboutOf(items: readonly unknown[]): readonly string[] {
  return items.map((item) => (item as { readonly endToEndId: string }).endToEndId)
}

type Certificate = 'own' | 'foreign' | 'none'

/** Posts JSON; answers what went wrong. */
function createPost(authority: Authority) {
  const agents = new Map<Certificate, Agent>()
  const agentFor = (certificate: Certificate): Agent => {
    const made = agents.get(certificate) ?? newAgent(authority, certificate)
    agents.set(certificate, made)
    return made
  }
  const post = async (url: string, body: unknown, certificate: Certificate): Promise<string | undefined> => {
    try {
      const answer = await request(url, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
        dispatcher: agentFor(certificate),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.body.dump()
      return answer.statusCode >= 200 && answer.statusCode < 300 ? undefined : `status ${answer.statusCode}`
    } catch (error) {
      return error instanceof Error ? error.message || error.name : String(error)
    }
  }
  const close = async () => {
    await Promise.all([...agents.values()].map((agent) => agent.destroy()))
  }
  return Object.assign(post, { close })
}

function newAgent(authority: Authority, certificate: Certificate): Agent {
  const identity =
    certificate === 'own'
      ? authority.client('Simulated Pix Bank webhooks')
      : certificate === 'foreign'
        ? foreignIdentity()
        : undefined
  const own = identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }
  return new Agent({ connections: 32, connect: { ca: authority.ca, ...own } })
}
