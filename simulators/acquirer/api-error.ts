// Refusals of the API: `{error: {type, code, param, message}}`.
import { given } from '../kit/given.ts'
import type { Reply } from '../kit/http.ts'
import type { Charge, PaymentIntent } from './wire.ts'

export type ErrorBody = {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  readonly code?: string
  readonly message: string
  readonly param?: string
  readonly payment_intent?: PaymentIntent
  readonly charge?: Charge['id']
}

/** `isKept`: the error is a result of the work, and is returned again under the same idempotency key. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly reply: Reply
  readonly isKept: boolean
  constructor(status: number, body: ErrorBody, isKept: boolean) {
    const { code } = body
    const doc = code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${dashed(code)}` }
    super(body.message)
    this.reply = { status, body: { error: { ...doc, ...body } } }
    this.isKept = isKept
  }
}

/** The parameters are invalid. */
export function badParam(param: string, message: string, code?: string): ApiError {
  const error = { type: 'invalid_request_error', message, param } as const
  return new ApiError(400, { ...error, ...given({ code }) }, false)
}

/** The object's state does not allow the call. */
export function badState(code: string | undefined, message: string, more: Partial<ErrorBody> = {}) {
  const body = { type: 'invalid_request_error', message, ...more } as const
  return new ApiError(400, { ...body, ...given({ code }) }, true)
}

export function missing(kind: string, id: string, param = 'id'): ApiError {
  const message = `No such ${kind}: '${id}'`
  return new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param }, false)
}

export function dashed(code: string): string {
  return code.replaceAll('_', '-')
}
