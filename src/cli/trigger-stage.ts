// What a scenario of `trigger` plays with: the public API, the sandbox's payer and the simulators' remote controls. Each step is shown.
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { controlOf } from '#/sandbox/control-call.ts'
import { member } from '#/sandbox/member.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import type { EventType } from '#/webhooks/event.ts'
import { ApiCallError, type ApiClient } from './api-client.ts'
import { eventsOf, lastSequence } from './listen-forward.ts'

export type Step =
  | { readonly step: 'call'; readonly call: string; readonly id?: string; readonly status?: string }
  | { readonly step: 'event'; readonly type: string; readonly sequence: number; readonly id: string }

export type Stage = {
  /** Calls the API, and shows the call. */
  post(path: string, body?: unknown): Promise<Made>
  /** Reads a record until it is so: for what has no event. */
  until(path: string, isSo: (record: unknown) => boolean): Promise<void>
  /** Calls the remote control of the card acquirer. */
  acquirer(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>
  /** Waits for the event of this type about this record, and shows it. Returns its `data`. */
  event(type: EventType, about: string): Promise<unknown>
}

/** What was made: its id, and all that was answered. */
export type Made = { readonly id: string; readonly answer: unknown }

export type StageDeps = {
  readonly api: ApiClient
  readonly sandbox: SandboxFile
  readonly show: (step: Step) => void
  /** Where the payments send their webhooks, if anywhere. */
  readonly webhookUrl: string | undefined
}

/** The longest wait for an event: coins need their confirmations. */
const patienceMs = 60 * secondMs
const waitSeconds = 10

export async function openStage({ api, sandbox, show, webhookUrl }: StageDeps): Promise<Stage> {
  const from = await lastSequence(api)
  const acquirer = controlOf('card acquirer', sandbox.simulators.acquirer.controlUrl)
  return {
    async post(path, body) {
      const isNew = ['/v1/payments', '/v1/withdrawals'].includes(path)
      const more = {
        ...(isNew ? { idempotencyKey: newId() } : {}),
        ...(isNew && webhookUrl !== undefined ? { webhookUrl } : {}),
      }
      const answer = await api.call('POST', path, { body: { ...(body as object | undefined), ...more } })
      const id = textOf(answer, 'id') ?? textOf(answer, 'paymentId') ?? ''
      const status = textOf(answer, 'status')
      show({ step: 'call', call: `POST ${path}`, id, ...given({ status }) })
      return { id, answer }
    },
    async until(path, isSo) {
      const giveUpAt = monotonicMs() + patienceMs
      while (!isSo(await api.call('GET', path))) {
        if (monotonicMs() > giveUpAt) throw tooLate(`${path} did not change`)
        await sleep(secondMs / 4)
      }
    },
    acquirer: async (method, path, body) => {
      const answer = await acquirer(method, `/_sim${path}`, body)
      if (method === 'POST') show({ step: 'call', call: `POST /_sim${path} at the card acquirer` })
      return answer
    },
    async event(type, about) {
      const giveUpAt = monotonicMs() + patienceMs
      for (let after = from; monotonicMs() < giveUpAt;) {
        const query = `types=${type}&after=${after}&wait=${waitSeconds}&limit=100`
        const page = await api.call('GET', `/v1/events?${query}`, { waitMs: waitSeconds * secondMs })
        for (const { sequence, id, body } of eventsOf(page)) {
          const data: unknown = member(JSON.parse(body), 'data')
          if (member(data, 'id') !== about && member(data, 'paymentId') !== about) continue
          show({ step: 'event', type, sequence, id })
          return data
        }
        after = Number(member(page, 'readTo'))
      }
      throw tooLate(`There was no ${type} of ${about}`)
    },
  }
}

function tooLate(what: string): ApiCallError {
  const remedy = 'See what the sandbox prints.'
  return new ApiCallError(`${what} within ${patienceMs / secondMs} seconds.`, 0, { remedy })
}

function textOf(value: unknown, name: string): string | undefined {
  const text = member(value, name)
  return typeof text === 'string' ? text : undefined
}

/** The objects of a list in an answer. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name)
  return Array.isArray(list) ? (list as readonly unknown[]) : []
}
