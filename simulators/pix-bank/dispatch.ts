// Webhooks: `POST {webhookUrl}/pix` with the bank's client certificate. The receiver's certificate must be of the bank's
// authority. A failed webhook is repeated on a shortened schedule, and then given up.
import { Agent, request } from 'undici'
import { iso, now } from '../kit/clock.ts'
import { given } from '../kit/given.ts'
import { createOutbox, type Outbox, type Plan, type Result } from '../kit/outbox.ts'
import { foreignIdentity, type Authority } from './certificates.ts'
import type { EventStore } from './event-store.ts'
import type { Letter, Modes } from './events.ts'
import type { Account } from './state.ts'

/** Seconds before the second, third … attempt. */
const retrySeconds = [1, 2, 4, 8, 16] as const
const timeoutMs = 10_000
const lateSeconds = 30

export const webhookWays = ['send', 'lose', 'repeat', 'late', 'reorder'] as const
/** How one webhook is sent; overrides the modes. */
export type WebhookWay = (typeof webhookWays)[number]

export type Dispatch = Pick<Outbox<Letter>, 'attempt'> & {
  /** Notifies the holder of a key, if it has a webhook. Call it inside `eventStore.together`. */
  notify(
    account: Account,
    items: readonly unknown[],
    how?: WebhookWay | { readonly afterSeconds: number },
  ): void
  /** Notifies at once, with a single attempt. */
  deliverNow(account: Account, items: readonly unknown[]): Promise<void>
  /**
   * Makes the two calls before a webhook is registered, as Efí does: one without a certificate, which the receiver must refuse
   * (unless `skipsCheck`), and one with. Returns what was wrong.
   */
  probe(url: string, skipsCheck: boolean): Promise<string | undefined>
  stop(): Promise<void>
}

type Wiring = {
  readonly eventStore: EventStore
  readonly authority: Authority
  /** Converts seconds of the bank's own waiting to milliseconds. */
  readonly span: (seconds: number) => number
}

export function createDispatch({ eventStore, authority, span }: Wiring): Dispatch {
  const post = createPost(authority)
  const send = async ({ pixKey, items }: Letter): Promise<string | undefined> => {
    const url = eventStore.state.accounts.get(pixKey)?.webhook?.url
    if (url === undefined) return 'no webhook is registered'
    return post(`${url}/pix`, { pix: items }, eventStore.state.modes.badCert ? 'foreign' : 'own')
  }
  const outbox = createOutbox<Letter>({
    eventStore,
    receiverOf: ({ pixKey }) => pixKey,
    atOnce: Infinity,
    retrySeconds,
    span,
    send,
    report: (letter, result) => eventStore.record(outcomeOf(letter, result)),
  })
  return {
    attempt: outbox.attempt,
    notify: (account, items, how) => {
      const { pixKey } = account
      if (account.webhook === undefined) return
      const { modes } = eventStore.state
      const plan = planOf(how, modes, span)
      if (plan !== undefined) return void outbox.post({ pixKey, items }, plan)
      const at = now()
      if (how === undefined && typeof modes.lose === 'number')
        eventStore.record({ type: 'modes.set', at, modes: { ...modes, lose: modes.lose - 1 } })
      eventStore.record({ type: 'webhook.lost', at, pixKey, about: aboutOf(items) })
    },
    deliverNow: async ({ pixKey }, items) => {
      const letter = { pixKey, items }
      await eventStore.kept()
      const error = await send(letter)
      eventStore.record(outcomeOf(letter, { tried: 1, ...given({ error }), isLast: true }))
    },
    probe: async (url, skipsCheck) => {
      const body = { evento: 'teste_webhook', data_criacao: iso(now()) }
      // Efí calls the address itself; a receiver that only implements the standard is called at its path.
      for (const target of [url, `${url}/pix`]) {
        if (!skipsCheck && (await post(target, body, 'none')) === undefined)
          return 'the call without a certificate was not refused'
        const error = await post(target, body, 'own')
        if (error === undefined) return undefined
        if (error !== 'status 404' || target !== url) return `the call with a certificate failed: ${error}`
      }
      return undefined
    },
    stop: async () => {
      const stopped = outbox.stop()
      await post.close()
      await stopped
    },
  }
}

/** How a webhook is sent; undefined: it is lost. */
function planOf(
  how: WebhookWay | { readonly afterSeconds: number } | undefined,
  modes: Modes,
  span: Wiring['span'],
): Plan | undefined {
  if (typeof how === 'object') return { delayMs: span(how.afterSeconds) }
  switch (how) {
    case undefined: {
      const isLost = typeof modes.lose === 'number' ? modes.lose > 0 : modes.lose
      if (isLost) return undefined
      return { times: modes.repeat, delayMs: modes.delayMs, reorders: modes.reorder }
    }
    case 'lose':
      return undefined
    case 'send':
      return {}
    case 'repeat':
      return { times: 3 }
    case 'late':
      return { delayMs: span(lateSeconds) }
    case 'reorder':
      return { reorders: true }
  }
}

function outcomeOf({ pixKey, items }: Letter, { tried, error, isLast }: Result) {
  const about = aboutOf(items)
  const at = now()
  if (error === undefined) return { type: 'webhook.delivered', at, pixKey, about } as const
  return { type: 'webhook.failed', at, pixKey, about, tried, error, givenUp: isLast } as const
}

function aboutOf(items: readonly unknown[]): readonly string[] {
  return items.map((item) => (item as { readonly endToEndId: string }).endToEndId)
}

type Certificate = 'own' | 'foreign' | 'none'

/** Posts JSON. Returns what went wrong. */
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
  const client = identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }
  return new Agent({ connections: 32, connect: { ca: authority.ca, ...client } })
}
