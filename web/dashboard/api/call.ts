// Typed calls of the dashboard's server. What each call sends and gets, and where it goes, is generated from the server's routes.
import { addressOf, request, type Method } from './client.ts'
import { places, type Calls, type QueryValue } from './generated.ts'

export type CallName = keyof Calls
export type Answer<Name extends CallName> = Calls[Name]['answer']
export type Body<Name extends CallName> = Calls[Name]['input'] extends { readonly body?: infer Of }
  ? Of
  : never
export type Query<Name extends CallName> = NonNullable<
  Calls[Name]['input'] extends { readonly query?: infer Of } ? Of : never
>
/** A record of a list. */
export type Row<Name extends CallName> =
  Answer<Name> extends { readonly data: readonly (infer Of)[] } ? Of : never

/** A call that changes nothing. */
export type ReadName = {
  [Name in CallName]: (typeof places)[Name] extends `GET ${string}` ? Name : never
}[CallName]
/** A call that changes something. */
export type ActName = Exclude<CallName, ReadName>
/** A list by pages. */
export type ListName = {
  [Name in CallName]: Calls[Name] extends { readonly isPaged: true } ? Name : never
}[CallName]

export type Page<Of> = { readonly data: readonly Of[]; readonly nextCursor?: string }

/** What a screen says of a call: the merchant is the one of the address. */
export type OwnInput<Name extends CallName> = Omit<Calls[Name]['input'], 'merchant'>
/** An argument that may be left out when nothing in it is needed. */
export type Args<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input]

export type Parts = {
  readonly merchant?: string | undefined
  readonly id?: string
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: unknown
  readonly bytes?: Blob
}

type Options = {
  /** The Idempotency-Key: the same for each repetition of one request. */
  readonly key?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The request goes on when the page is left. For small ones: a browser refuses more than 64 KiB. */
  readonly keepalive?: boolean
}

/** The method of a call, and its path behind `/api`. */
function placeOf(name: CallName, { merchant = '', id = '' }: Parts): readonly [Method, string] {
  const [method, path] = places[name].split(' ') as [Method, string]
  return [method, path.replace('{merchant}', merchant).replace('{id}', encodeURIComponent(id))]
}

/** Calls the server. */
export function call<Name extends CallName>(
  name: Name,
  input: Calls[Name]['input'],
  options: Options = {},
): Promise<Answer<Name>> {
  return callAny(name, input, options)
}

/** The same where the caller has checked what the call needs. */
export function callAny<Of>(name: CallName, input: Parts, options: Options): Promise<Of> {
  const { query, body, bytes } = input
  const [method, path] = placeOf(name, input)
  return request<Of>(method, path, { query, body, bytes, ...options })
}

/** The address of a call, for links such as to a CSV file. */
export function linkOf<Name extends ReadName>(name: Name, input: Calls[Name]['input']): string {
  const { query }: Parts = input
  return addressOf(placeOf(name, input)[1], query)
}
