// Checks on bodies that a schema cannot express.
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { inCapitals } from '#/kernel/money.ts'

const metadataBytesMax = 8_192

/** Metadata is any JSON object of up to 8 KiB. */
export function metadataFaults(
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly FieldFault[] {
  if (metadata === undefined || Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytesMax) return []
  return [{ pointer: '/metadata', code: 'too_large', message: 'has more than 8 KiB' }]
}

/** Refuses a currency in small letters; the fault shows the right spelling. 422. */
export function requireCapitals(currency: string | undefined): void {
  const meant = currency === undefined ? undefined : inCapitals(currency)
  if (meant === undefined) return
  const faults = [{ pointer: '/currency', code: 'malformed', message: `is written in capitals: ${meant}` }]
  const detail = `A currency is written in capitals: ${meant}, not ${currency}.`
  throw new AppError('currency_not_supported', detail, { faults })
}

/** The key may come in the body or in the header; two different keys are refused (400). */
export function idempotencyKeyOf(call: {
  readonly body: { readonly idempotencyKey?: string }
  readonly idempotencyKey: string | undefined
}): string | undefined {
  const { body, idempotencyKey } = call
  if (
    idempotencyKey === undefined ||
    body.idempotencyKey === undefined ||
    idempotencyKey === body.idempotencyKey
  )
    return body.idempotencyKey ?? idempotencyKey
  const message = 'differs from the header Idempotency-Key'
  const fault = { pointer: '/idempotencyKey', code: 'differs', message }
  throw new AppError('invalid_request', 'The header and the body name different keys.', { faults: [fault] })
}

/** The answer to an amount that would take a wallet's balance past what a JSON number carries exactly. */
export function tooMuch(roomMinor: bigint): AppError {
  const detail = `A wallet holds at most ${Number.MAX_SAFE_INTEGER} in each of its balances.`
  return new AppError('limit_exceeded', detail, {
    faults: [{ pointer: '/amount', code: 'too_large', message: `is at most ${roomMinor} here` }],
  })
}
