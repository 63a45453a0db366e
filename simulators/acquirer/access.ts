// Authenticates API calls. An account has two keys that may call: the secret one may do everything but refunds, the
// restricted one may refund and read. A key that collects money cannot send it out.
import { given } from '../kit/given.ts'
import type { Call } from '../kit/http.ts'
import type { Account, Acquirer } from './acquirer.ts'
import { ApiError } from './api-error.ts'
import { apiVersion } from './wire.ts'

/** The calling account, if its key permits the call. */
export function authenticate({ accounts }: Acquirer, call: Call): Account {
  const key = keyOf(call)
  if (key === undefined)
    throw refusal(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  const account = [...accounts.all()].find(
    ({ secretKey, refundKey }) => key === secretKey || key === refundKey,
  )
  if (account === undefined) {
    const isPublic = [...accounts.all()].some(({ publishableKey }) => key === publishableKey)
    if (isPublic)
      throw refusal(
        401,
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
        'secret_key_required',
      )
    throw refusal(401, `Invalid API Key provided: ${masked(key)}`, 'api_key_invalid')
  }
  const isRefund = call.path === '/v1/refunds' || call.path.startsWith('/v1/refunds/')
  const mayWrite = isRefund ? key === account.refundKey : key === account.secretKey
  if (call.method !== 'GET' && !mayWrite)
    throw refusal(
      403,
      `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${account.id}'.`,
      'more_permissions_required',
    )
  return account
}

/**
 * Refuses an unsupported version, or a body of another media type than `mediaType`. The real API accepts older versions too, and
 * answers in their form; a caller that relies on that would not be noticed here.
 */
export function mustSpeakOurs({ headers, body }: Call, mediaType: string): void {
  const version = headers['stripe-version']
  if (version !== undefined && version !== apiVersion)
    throw refusal(400, `Invalid Stripe API version: ${String(version)}. Only ${apiVersion} is known here.`)
  const type = headers['content-type'] ?? ''
  if (body.length > 0 && type.split(';')[0]?.trim().toLowerCase() !== mediaType)
    throw refusal(400, `Invalid request (check that your POST content type is ${mediaType}).`)
}

function keyOf({ headers: { authorization = '' } }: Call): string | undefined {
  const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return bearer
  const basic = /^Basic (\S+)$/i.exec(authorization)?.[1]
  if (basic === undefined) return undefined
  const user = Buffer.from(basic, 'base64').toString().split(':')[0]
  return user === '' ? undefined : user
}

function masked(key: string): string {
  return `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`
}

function refusal(status: number, message: string, code?: string): ApiError {
  const error = { type: 'invalid_request_error', message } as const
  return new ApiError(status, { ...error, ...given({ code }) }, false)
}
