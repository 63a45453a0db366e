// Refusals of the merchant API. There are three shapes: the gateway's two, and that of a call that was understood.
import { Refusal } from '../kit/refusal.ts'

/** For every code in use: HTTP status and message. Statuses are not documented; the code decides. */
const codes = {
  '400000': [500, 'An unknown error occurred while processing the request.'],
  '400001': [400, "Parameter format is wrong or parameter transferring doesn't follow the rules."],
  '400002': [401, 'Signature for this request is not valid.'],
  '400003': [401, 'Timestamp for this request is outside of the time window.'],
  '400004': [401, 'API identity key not found or invalid.'],
  '400005': [401, 'API identity key format invalid.'],
  '400008': [400, 'Malformed request body.'],
  '400100': [400, 'A parameter was missing/empty/null, or malformed.'],
  '400101': [400, 'A parameter was not valid, was empty/null, or too long/short, or wrong format.'],
  '400102': [400, 'A parameter was not valid, the value is out of range.'],
  '400103': [400, 'A parameter was not valid, contains illegal characters.'],
  '400104': [413, 'Invalid request, content length too large.'],
  '400201': [400, 'merchantTradeNo is invalid or duplicated.'],
  '400202': [400, 'Order not found.'],
  '400203': [400, 'Not support for this account, please check account status.'],
  '400204': [400, 'The order status does not allow this: it was paid, is being paid, or is over.'],
  '400206': [400, 'The sub merchant does not exist or is in an unavailable state.'],
  '400301': [400, 'Invalid prepayId.'],
  '400302': [400, 'Refund attempts more than 10 times.'],
  '400303': [400, 'Refund amount is greater than remaining amount.'],
  '400304': [400, 'The merchant account remaining amount is not enough to do refund.'],
  '400606': [403, 'Access forbidden.'],
} as const satisfies Record<string, readonly [number, string]>
export type Code = keyof typeof codes

/** A call that was understood and is refused: `{status, code, errorMessage}`. */
export function fail(code: Code, about?: string): Refusal {
  const [status, message] = codes[code]
  const errorMessage = about === undefined ? message : `${message} (${about})`
  return new Refusal(errorMessage, { status, body: { status: 'FAIL', code, errorMessage } })
}

/** A call that the gateway does not let in: `{code, msg}`. */
export function barred(code: Code): Refusal {
  const [status, msg] = codes[code]
  return new Refusal(msg, { status, body: { code, msg } })
}

/** A call that the gateway cannot parse: wrong method, no JSON, no body; or the gateway itself is failing. */
export function abnormal(status: number): Refusal {
  const body = { status: 'ERROR', type: 'SYS', code: '100001001', errorData: 'System abnormality' }
  return new Refusal('System abnormality', { status, body })
}

/** For a path that does not exist: the network in front of the API answers, and not in JSON. */
export function blocked(): Refusal {
  const body = '<html><head><title>403</title></head><body>403 ERROR. Request blocked.</body></html>'
  return new Refusal('Request blocked', { status: 403, type: 'text/html; charset=utf-8', body })
}
