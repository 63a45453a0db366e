// `listen`: shows a merchant's events as they happen, and forwards them to a program on this machine.
import { randomBytes } from 'node:crypto'
import { eventTypes } from '#/contract/events.ts'
import { toJson } from '#/kernel/json.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { member } from '#/sandbox/member.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { openApiClient, type ApiClient } from './api-client.ts'
import { single, UsageError, type Call, type Command } from './command.ts'
import { hasEvent, lastSequence, listen, type Forwarded, type ListenedEvent } from './listen-forward.ts'
import { takePlace, type Place } from './listen-place.ts'
import { untilTerminated } from './run.ts'

const typeWidth = Math.max(...eventTypes.map((each) => each.length))

const listenToEvents: Command = {
  summary:
    'Shows your events as they happen and forwards them, signed as webhooks, to a URL that need not be public. It goes on where the last run ended',
  options: {
    'forward-to': {
      value: 'url',
      meaning: 'Where each event is posted, in order; without it they are only shown',
    },
    types: { value: 'list', meaning: 'Only these types, with commas between them' },
    after: {
      value: 'sequence',
      meaning: 'Begin after this event. Default: where the last run ended, at first with the next event',
    },
  },
  async run(call) {
    const { url, types, after } = readOptions(call)
    const config = call.deps.config()
    const api = await openApiClient(config)
    const merchantId = String(member(member(await api.call('GET', '/v1/me'), 'merchant'), 'id'))
    const place =
      url === undefined ? undefined : await takePlace(config.dataDir, { apiUrl: api.apiUrl, merchantId, url })
    try {
      const from = after ?? (await keptCursor(api, place)) ?? (await lastSequence(api))
      await follow(call, { api, types, url, place, from })
    } finally {
      await place?.release()
    }
  },
}

/** Where the last run ended. Throws when the API has no such event: it would never come to the next one. */
async function keptCursor(api: ApiClient, place: Place | undefined): Promise<number | undefined> {
  const cursor = place?.cursor()
  if (cursor === undefined || cursor === 0 || (await hasEvent(api, cursor))) return cursor
  const remedy = 'Say where to begin, such as --after 0.'
  throw new UsageError(
    `The last run ended at event ${cursor}, which is not there: is it another database?`,
    remedy,
  )
}

/** Runs until Ctrl-C. */
export const listenCommand = single('listen', listenToEvents)

function readOptions({ option }: Call) {
  const remedy = 'See ./vintem listen --help.'
  const text = option('forward-to')
  const parsed = text === undefined ? undefined : URL.parse(text)
  if (text !== undefined && (parsed === null || !['http:', 'https:'].includes(parsed?.protocol ?? '')))
    throw new UsageError(`--forward-to ${text} is no http or https URL.`, remedy)
  const after = option('after')
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new UsageError(`--after ${after} is no sequence.`, remedy)
  const types = option('types')
  const unknown = types?.split(',').find((each) => !eventTypes.some((known) => known === each))
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is no type of event.`, `They are ${eventTypes.join(', ')}.`)
  return { url: parsed?.href, types, after: after === undefined ? undefined : Number(after) }
}

type Following = {
  readonly api: ApiClient
  readonly types: string | undefined
  readonly url: string | undefined
  readonly place: Place | undefined
  readonly from: number
}

async function follow(call: Call, { api, types, url, place, from }: Following): Promise<void> {
  const { terminal, json } = call
  // With a key of the settings the merchant's secret is not known here: the API never shows it.
  const secret = api.webhookSecret ?? place?.secret() ?? showWebhookSecret(randomBytes(32))
  const madeSecret = api.webhookSecret === undefined ? { secret } : {}
  const save = async (cursor: number) => place?.save({ cursor, ...madeSecret })
  await save(from)
  announce(call, { api, url, from, secret })
  const { signal } = untilTerminated()
  let isSilent = false
  await listen(
    {
      api,
      types,
      ...(url === undefined ? {} : { forward: { url, secret } }),
      onEvent(event, forwarded) {
        isSilent = false
        terminal.out(json ? jsonOf(event, url, forwarded) : lineOf(terminal, event, forwarded))
        if (forwarded?.outcome === 'given up' && !json)
          terminal.err(`  Given up. To forward it again: --after ${event.sequence - 1}`)
      },
      onSilence(reason) {
        if (!isSilent) terminal.err(`${reason} Trying again.`)
        isSilent = true
      },
      save,
      signal,
    },
    from,
  )
}

function announce(
  { terminal, json }: Call,
  { api, url, from, secret }: Pick<Following, 'api' | 'url' | 'from'> & { readonly secret: string },
): void {
  const { out, paint } = terminal
  // Programs read standard output, where each line is an event.
  if (json) {
    terminal.err(
      toJson({ apiUrl: api.apiUrl, ...(url === undefined ? {} : { forwardTo: url, secret }), after: from }),
    )
    return
  }
  out(`${paint.strong('Listening')} to ${api.apiUrl} after event ${from}. Ctrl-C ends it.`)
  if (url === undefined) return
  out(`${paint.soft('Forwarding to')}  ${url}`)
  out(`${paint.soft('Signed with')}    ${secret}`)
  out()
}

function jsonOf(event: ListenedEvent, url: string | undefined, forwarded: Forwarded | undefined): string {
  const { sequence, id, type } = event
  return toJson({ sequence, id, type, ...(forwarded === undefined ? {} : { url, ...forwarded }) })
}

function lineOf(
  { paint, symbols }: Terminal,
  { sequence, type, id }: ListenedEvent,
  forwarded: Forwarded | undefined,
): string {
  const event = `${String(sequence).padStart(6)}  ${type.padEnd(typeWidth)}  ${paint.soft(id)}`
  if (forwarded === undefined) return event
  const { status, error, ms, outcome, attempt } = forwarded
  const isAccepted = outcome === 'accepted'
  const sign = isAccepted ? paint.good(symbols.done) : paint.bad(symbols.fail)
  const result = `${status ?? error ?? ''}`.padEnd(3)
  const count = attempt === 1 ? '' : paint.soft(`  attempt ${attempt}`)
  return `${sign} ${event}  ${isAccepted ? result : paint.bad(result)}  ${paint.soft(`${ms} ms`)}${count}`
}
