// The steps that all endpoints of the API share: the key, faults, the idempotency key, `expand`, lists.
import { randomBytes } from 'node:crypto'
import type { Call, Reply, Route } from '../kit/http.ts'
import type { Table } from '../kit/store.ts'
import { authenticate, mustSpeakOurs } from './access.ts'
import { noRequest, type Account, type Acquirer, type FaultMode, type Kept } from './acquirer.ts'
import { ApiError, missing } from './api-error.ts'
import { expand } from './expand.ts'
import { spoilAfter, spoilBefore, spoilDuring, nextFault } from './faults.ts'
import { hold, once } from './idempotency.ts'
import { pageOf, pagingNames } from './lists.ts'
import { formOf, only, textOf, type Params } from './params.ts'
import { readUpload, uploadBytesMax, type SentFile } from './upload.ts'
import { apiVersion } from './wire.ts'

/** `file`: of a multipart body, its part `file`. */
export type ApiCall = {
  readonly account: Account
  readonly params: Params
  readonly id: string
  readonly file?: SentFile
}
export type Work = (call: ApiCall) => unknown

type Listed = { readonly id: string; readonly created: number }

type Listing<T> = {
  /** Fields by which it is filtered, requested by their own name. */
  readonly by?: readonly (keyof T & string)[]
  /** Further parameters, and the filter that they make. */
  readonly parameters?: readonly string[]
  readonly filter?: (params: Params) => (wire: T) => boolean
  /** The object as it is now. */
  readonly fresh?: (id: string) => Kept<T> | undefined
}

/** A list, newest first. */
export function list<T extends Listed>(
  acquirer: Acquirer,
  path: string,
  table: Table<Kept<T>>,
  { by = [], parameters = [], filter = () => () => true, fresh = (id) => table.get(id) }: Listing<T>,
): Route {
  return apiRoute(acquirer, 'GET', path, ({ account, params }) => {
    only(params, [...pagingNames, ...by, ...parameters])
    const values = by.map((name) => [name, textOf(params, name)] as const)
    const passes = filter(params)
    const found = [...table.all()]
      .filter(({ account: owner }) => owner === account.id)
      .flatMap(({ wire }) => fresh(wire.id)?.wire ?? [])
      .reverse()
    return pageOf(
      found,
      params,
      path,
      (wire) => passes(wire) && values.every(([name, value]) => value === undefined || wire[name] === value),
    )
  })
}

/** One object of the account. `fresh`: brings it up to date first. */
export function get<T>(
  acquirer: Acquirer,
  path: string,
  kind: string,
  table: Table<Kept<T>>,
  fresh?: (id: string) => unknown,
): Route {
  return apiRoute(acquirer, 'GET', `${path}/:id`, ({ account, params, id }) => {
    only(params, ['expand'])
    fresh?.(id)
    return ownObject(table, account, kind, id).wire
  })
}

export function ownObject<T, K extends Kept<T>>(
  table: Table<K>,
  account: Account,
  kind: string,
  id: string,
): K {
  const found = table.get(id)
  if (found?.account !== account.id) throw missing(kind, id)
  return found
}

/** `upload`: the body is multipart, and holds one file. */
export function apiRoute(
  acquirer: Acquirer,
  method: string,
  path: string,
  work: Work,
  { upload = false }: { readonly upload?: boolean } = {},
): Route {
  return {
    method,
    path,
    ...(upload ? { bodyBytesMax: uploadBytesMax } : {}),
    handle: async (call) => {
      const fault = nextFault(acquirer)
      const headers = { 'request-id': `req_${randomBytes(7).toString('hex')}`, 'stripe-version': apiVersion }
      const spoiled = await spoilBefore(fault)
      const reply =
        spoiled ?? (await answer(acquirer, call, work, { fault, request: headers['request-id'], upload }))
      return spoilAfter(fault, { ...reply, headers: { ...headers, ...reply.headers } })
    },
  }
}

async function answer(
  acquirer: Acquirer,
  call: Call,
  work: Work,
  {
    fault,
    request,
    upload,
  }: { readonly fault: FaultMode; readonly request: string; readonly upload: boolean },
): Promise<Reply> {
  try {
    const account = authenticate(acquirer, call)
    mustSpeakOurs(call, upload ? 'multipart/form-data' : 'application/x-www-form-urlencoded')
    using _ = hold(acquirer, account, call)
    await spoilDuring(fault)
    const sent = upload ? await readUpload(call) : undefined
    const pairs =
      sent?.pairs ?? (call.method === 'GET' ? call.query : new URLSearchParams(call.body.toString('utf8')))
    const params = { fields: formOf(pairs), at: '' }
    const file = sent?.file === undefined ? {} : { file: sent.file }
    return once(acquirer, account, call, () => {
      const key = call.headers['idempotency-key']
      acquirer.passing.request = { id: request, idempotency_key: typeof key === 'string' ? key : null }
      try {
        return expand(acquirer, work({ account, params, id: call.params['id'] ?? '', ...file }), params)
      } finally {
        acquirer.passing.request = noRequest
      }
    })
  } catch (error) {
    if (error instanceof ApiError) return error.reply
    throw error
  }
}

export function unknownApiPath({ method, path }: Call): Reply {
  const message = `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  return new ApiError(404, { type: 'invalid_request_error', message }, false).reply
}
