// The client: one method for each operation of the API, made from the table that the generator wrote.
import { jsonOf, send, type CallOptions, type OperationRow, type Request, type Target } from './call.ts'
import { follow, followBatches, type EventBatch, type FollowOptions, type ReadEvents } from './follow.ts'
import { operations, type Resources } from './generated/operations.ts'
import type { WebhookEvent } from './generated/types.ts'
import { Pages, type Page } from './pages.ts'

export type ClientOptions = {
  /** `vtm_live_…` or `vtm_test_…`. Never in a browser: whoever has it moves your money. */
  readonly apiKey: string
  /** Where the API is, such as `http://127.0.0.1:4000`. */
  readonly baseUrl: string
  /** How long one attempt of a call may take, in milliseconds. */
  readonly timeoutMs?: number
  /** How many more attempts after the first. */
  readonly maxRetries?: number
  /** Another `fetch`, for a proxy or for tests. */
  readonly fetch?: typeof fetch
}

export type Vintem = Omit<Resources, 'events'> & {
  readonly events: Resources['events'] & {
    /** Every event once, in order, as it happens: the way without webhooks, or beside them. */
    readonly follow: (options: FollowOptions) => AsyncGenerator<WebhookEvent, void, void>
    /** The same in batches with the position to store. */
    readonly followBatches: (options: FollowOptions) => AsyncGenerator<EventBatch, void, void>
  }
  /** The same client in the name of one of your sub-accounts; the key needs the scope `subaccounts:act`. */
  readonly actingFor: (subAccountId: string) => Vintem
  /** Any call, such as a statement as CSV: the answer as it came. */
  readonly request: (
    request: Pick<Request, 'verb' | 'path' | 'body' | 'headers'>,
    options?: CallOptions,
  ) => Promise<Response>
}

/** A client for one key. It holds no connection, so make one for each process. */
export function createClient(options: ClientOptions): Vintem {
  const { apiKey, baseUrl, timeoutMs = 45_000, maxRetries = 3 } = options
  if (apiKey.trim() === '') throw new TypeError('apiKey is empty')
  return clientFor({
    apiKey,
    baseUrl: new URL(baseUrl).href.replace(/\/$/, ''),
    timeoutMs,
    maxRetries,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
  })
}

function clientFor(target: Target): Vintem {
  const resources = Object.fromEntries(
    Object.entries(operations).map(([group, rows]) => [
      group,
      Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, methodFor(target, row)])),
    ]),
  ) as unknown as Resources
  const read = resources.events.list as unknown as (...args: Parameters<ReadEvents>) => ReturnType<ReadEvents>
  const readPage: ReadEvents = async (query, options) => read(query, options)
  return {
    ...resources,
    events: {
      ...resources.events,
      follow: (options) => follow(readPage, options),
      followBatches: (options) => followBatches(readPage, options),
    },
    actingFor: (subAccount) => clientFor({ ...target, subAccount }),
    request: (request, options = {}) =>
      send(target, { ...request, isRepeatable: request.verb === 'GET' }, options, (response) => response),
  }
}

/** Arguments: the path's parameters, then the body, then the query, then the options, each only where the operation has it. */
function methodFor(target: Target, row: OperationRow): (...args: unknown[]) => unknown {
  const names = row.path.match(/\{\w+\}/g) ?? []
  return (...args) => {
    const left = [...args]
    const path = names.reduce((text, name) => text.replace(name, idOf(name, left.shift())), row.path)
    const body = row.body === true ? (left.shift() ?? {}) : undefined
    const query = row.query === true ? ((left.shift() ?? {}) as Readonly<Record<string, unknown>>) : {}
    const options = (left.shift() ?? {}) as CallOptions
    const fetchPage = async (cursor?: string): Promise<unknown> => {
      const search = searchOf(cursor === undefined ? query : { ...query, cursor })
      return send(target, requestOf(row, `${path}${search}`, body, options), options, jsonOf)
    }
    return row.pages === true
      ? new Pages((cursor) => fetchPage(cursor) as Promise<Page<unknown>>)
      : fetchPage()
  }
}

function requestOf(row: OperationRow, path: string, body: unknown, options: CallOptions): Request {
  const { idempotencyKey: inBody } = (body ?? {}) as { readonly idempotencyKey?: string | null }
  const hasOwn = inBody !== undefined && inBody !== null
  const key = options.idempotencyKey ?? (row.key === true && !hasOwn ? crypto.randomUUID() : undefined)
  return {
    verb: row.verb,
    path,
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    isRepeatable: row.verb !== 'POST' || row.key === true,
  }
}

/** An empty id would call the list instead of the record. */
function idOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name.slice(1, -1)} is not given`)
  return encodeURIComponent(value)
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (typeof value === 'object') appendObject(search, name, value)
    else search.append(name, `${value as string | number | boolean}`)
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** A list of values is one parameter several times; an object is `name[key]=value`, as `metadata[orderId]=A-1`. */
function appendObject(search: URLSearchParams, name: string, value: object): void {
  if (Array.isArray(value)) for (const each of value) search.append(name, String(each))
  else for (const [key, each] of Object.entries(value)) search.append(`${name}[${key}]`, String(each))
}
