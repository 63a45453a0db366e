// The one translation of anything thrown into an answer: application/problem+json (RFC 9457).
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { classify } from '#/db/failure.ts'
import { unavailable } from '#/db/persist.ts'
import type { Edge } from '#/edge/server.ts'
import { AppError, problems, problemUrl, type FieldFault, type ProblemCode } from '#/kernel/error.ts'
import { escapePointer, toJson } from '#/kernel/json.ts'
import type { Log } from '#/kernel/log.ts'
import { meantBy } from './did-you-mean.ts'

const problemType = 'application/problem+json'

/** The most faults in one answer. */
const faultsMax = 20
const pointerMax = 200

type ProblemAnswer = {
  readonly status: number
  readonly code: ProblemCode
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Set when the fault is ours: what to write into the log. */
  readonly ours?: unknown
}

function answerProblem(thrown: unknown, requestId: string): ProblemAnswer {
  const error = asAppError(thrown)
  const { status, title } = problems[error?.code ?? 'internal']
  const code = error?.code ?? 'internal'
  const errors = (error?.faults ?? []).slice(0, faultsMax).map(tidy)
  const standard = {
    type: problemUrl(code),
    title,
    status,
    code,
    detail: (error?.message ?? 'It is written down; the request id finds it.').toWellFormed(),
    requestId,
    ...(errors.length === 0 ? {} : { errors }),
  }
  return {
    status,
    code,
    // In the standard's order; no extra field can replace a standard one.
    body: toJson({ ...standard, ...error?.extra, ...standard }),
    headers: headersOf(error),
    ...(error === undefined ? { ours: thrown } : {}),
  }
}

/** Answers with the problem, and logs our own faults. */
export function sendProblem(
  { log }: { readonly log: Log },
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, code, body, headers, ours } = answerProblem(thrown, request.id)
  answered.set(reply, code)
  if (ours !== undefined) {
    const { method, routeOptions } = request
    log.error(
      { requestId: request.id, method, route: routeOptions?.url, err: ours },
      'a request broke something',
    )
  }
  return reply
    .code(status)
    .headers({ 'x-request-id': request.id, ...headers })
    .serializer(asIs)
    .send(body)
}

const answered = new WeakMap<FastifyReply, ProblemCode>()

/** The problem that was answered, if one was. */
export function problemIn(reply: FastifyReply): ProblemCode | undefined {
  return answered.get(reply)
}

/** Answers where there is no route: 405 with the methods when other methods are served there, else 404. */
export function sendNothingHere(
  deps: { readonly log: Log },
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const allowed = edge.allowedAt(request)
  if (allowed.length === 0)
    return sendProblem(deps, new AppError('not_found', 'There is nothing at this address.'), request, reply)
  reply.header('allow', allowed.join(', '))
  return sendProblem(deps, methodNotAllowed(request.method, allowed), request, reply)
}

export function methodNotAllowed(method: string, allowed: readonly string[]): AppError {
  const detail = `${method} is not for this address: it takes ${allowed.join(', ')}.`
  return new AppError('method_not_allowed', detail)
}

function asIs(body: unknown): string {
  return typeof body === 'string' ? body : ''
}

function headersOf(error: AppError | undefined): Readonly<Record<string, string>> {
  const { code, retryAfterMs } = error ?? { code: 'internal' as const, retryAfterMs: undefined }
  const status = problems[code].status
  const waitMs = retryAfterMs ?? (status === 503 || status === 429 ? 1_000 : undefined)
  return {
    'content-type': problemType,
    ...(waitMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) }),
    ...(code === 'unauthenticated'
      ? { 'www-authenticate': 'ApiKey realm="vintem", Bearer realm="vintem"' }
      : {}),
  }
}

/** The caller's fault in our own words, or undefined when the fault is ours. */
function asAppError(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return thrown
  if (isFastifyError(thrown)) return fromFastify(thrown)
  return classify(thrown) === 'poison' ? undefined : unavailable(thrown)
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return (
    thrown instanceof Error &&
    (('validation' in thrown && Array.isArray(thrown.validation)) || isFrameworkCode(thrown))
  )
}

function isFrameworkCode(thrown: Error): boolean {
  return 'code' in thrown && typeof thrown.code === 'string' && thrown.code.startsWith('FST_ERR_')
}

/** Refusals of the framework. Its own faults, such as an answer that does not fit its schema, stay ours. */
function fromFastify(error: FastifyError): AppError | undefined {
  if (error.validation !== undefined) return fromValidation(error.validation)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError(
        'payload_too_large',
        'The body is larger than this route takes: 64 KiB, for a batch 1 MiB.',
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json, in UTF-8.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_NOT_FOUND':
      return new AppError('not_found', 'There is nothing at this address.')
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new AppError('invalid_request', 'The request cannot be read.')
        : undefined
  }
}

function fromValidation(validation: readonly FastifySchemaValidationError[]): AppError {
  const faults = validation.filter((fault) => !isSecondWord(fault, validation)).map(toFault)
  const [first] = faults
  const detail =
    first === undefined
      ? 'The request does not fit.'
      : `${first.pointer || 'The body'} ${first.message}${first.message.endsWith('?') ? '' : '.'}`
  return new AppError('invalid_request', detail.slice(0, 2 * pointerMax), { faults })
}

/** Whether this fault only repeats another one: a value that is not an integer also fails the format of an integer. */
function isSecondWord(
  { keyword, instancePath }: FastifySchemaValidationError,
  all: readonly FastifySchemaValidationError[],
): boolean {
  return (
    keyword === 'format' &&
    all.some((other) => other.keyword === 'type' && other.instancePath === instancePath)
  )
}

/** Some keywords name the field in their parameters, not in their path. */
function toFault(fault: FastifySchemaValidationError): FieldFault {
  const { keyword, instancePath, params, message } = fault
  const name = params['missingProperty'] ?? params['additionalProperty']
  const pointer = typeof name === 'string' ? `${instancePath}/${escapePointer(name)}` : instancePath
  const allowed = params['allowedValues']
  const values = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''
  const meant = meantInstead(fault)
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
  const isAmount = params['type'] === 'integer' && /amount$/i.test(pointer)
  return {
    pointer,
    code: validationCodes[keyword] ?? 'invalid',
    message: isAmount ? inCents : (messages[keyword] ?? `${message ?? 'is not valid'}${values}`) + hint,
  }
}

/** The field or the value that the caller probably meant. The compiler is told to give value and schema with each fault. */
function meantInstead(fault: FastifySchemaValidationError): string | undefined {
  const { keyword, params } = fault
  const { data, parentSchema } = fault as FastifySchemaValidationError & Seen
  const name = params['additionalProperty']
  if (keyword === 'additionalProperties' && typeof name === 'string')
    return meantBy(name, Object.keys(parentSchema?.properties ?? {}))
  const allowed = params['allowedValues']
  if (keyword !== 'enum' || typeof data !== 'string' || !Array.isArray(allowed)) return undefined
  return meantBy(
    data,
    allowed.filter((each) => typeof each === 'string'),
  )
}

type Seen = { readonly data?: unknown; readonly parentSchema?: { readonly properties?: object } }

/** The commonest mistake: an amount as people write it. */
const inCents = 'must be an integer, in cents: 49.90 is 4990'

/** Of a fault that the schema finds, by its keyword. */
export const validationCodes: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed',
  minimum: 'too_small',
  maximum: 'too_large',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  uniqueItems: 'repeated',
  pattern: 'malformed',
  format: 'malformed',
}

const messages: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is not a field here',
}

function tidy({ pointer, code, message }: FieldFault): FieldFault {
  return { pointer: pointer.slice(0, pointerMax).toWellFormed(), code, message: message.toWellFormed() }
}
