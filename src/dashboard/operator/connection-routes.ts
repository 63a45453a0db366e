// Connections to providers, without their secrets. What asks a provider is a job, which a worker runs.
import { Type as T } from 'typebox'
import { pageSize, paging, pageOf, queryOf, readCursor } from '#/http/query.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { count, instant, uuid } from '#/kernel/schema.ts'
import { selectHealth, selectLastAnswers } from '#/merchants/connection-queries.ts'
import {
  addConnectionAs,
  certificatesOf,
  replaceConnectionAs,
  requireConnection,
  switchConnection,
} from '#/operator/connections.ts'
import { firstEnd } from '#/operator/expiry.ts'
import { selectConnectionPage, selectListedConnection, type ListedConnection } from '#/operator/queries.ts'
import { none } from '#/people/concern.ts'
import { readSentParts } from '#/rails/kit/connection-parts.ts'
import type { ConnectionParts, ConnectionType } from '#/rails/kit/connection-type.ts'
import type { DashboardDeps } from '../deps.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { jobRequested, jobShape } from './job-routes.ts'
import { anyReason, because, fields, merchantOf, mode, operatorOf } from './words.ts'

const form = T.Object(
  {
    name: T.String({ description: 'As it is written in addresses: `pix-payout`.' }),
    method: T.String(),
    providers: T.Array(T.String()),
    page: T.String({ description: 'The page of docs that explains it.' }),
    settings: fields,
    secrets: fields,
    refundSecrets: T.Optional(fields),
  },
  {
    title: 'ConnectionForm',
    description: 'The fields of each part as JSON schema; `fault` says what a field takes.',
  },
)

const forms = operatorRoute({
  route: 'GET /operator/connection-types',
  operationId: 'listConnectionTypes',
  summary: 'The types of connection, each with the form of its parts',
  answer: T.Object({ data: T.Array(form) }),
  async handle({ operator: { connectionTypes } }) {
    const types = connectionTypes.names.flatMap((name) => connectionTypes.named(name) ?? [])
    return { data: types.map((type) => formOf(type, connectionTypes.nameOf(type.method))) }
  },
})

/** A schema's functions and symbols are for checks here: JSON leaves them out. */
function formOf({ method, providers, page, settings, secrets, refundSecrets }: ConnectionType, name: string) {
  const plain = (schema: unknown) => JSON.parse(JSON.stringify(schema)) as Readonly<Record<string, unknown>>
  return {
    name,
    method,
    providers,
    page,
    settings: plain(settings),
    secrets: plain(secrets),
    ...given({ refundSecrets: refundSecrets && plain(refundSecrets) }),
  }
}

const connectionFields = {
  id: T.String(),
  method: T.String(),
  provider: T.String(),
  mode,
  merchantId: T.Optional(uuid('Absent: shared by all merchants of its mode.')),
  merchantName: T.Optional(T.String()),
  isActive: T.Boolean(),
  archivedAt: T.Optional(instant()),
  canRefund: T.Boolean({ description: 'It has credentials that send money out.' }),
  hasType: T.Boolean({ description: 'False for a chain, whose settings are its own.' }),
  settings: fields,
  createdAt: instant(),
  changedAt: instant(),
}

function record({ operator }: DashboardDeps, row: ListedConnection) {
  return { ...withoutNulls(row), hasType: operator.connectionTypes.find(row) !== undefined }
}

const list = operatorRoute({
  route: 'GET /operator/connections',
  operationId: 'listConnections',
  summary: 'Connections by id: all, those of one merchant, or those that merchants share',
  answer: listed(
    T.Object(
      {
        ...connectionFields,
        endsAt: T.Optional(
          instant('When its certificate ends that ends first, of those that can be read here.'),
        ),
        lastGoodAt: T.Optional(instant('When the provider last answered as it should.')),
        lastBadAt: T.Optional(instant('When a call last failed.')),
        lastError: T.Optional(T.String({ description: 'Of that call.' })),
      },
      { title: 'Connection' },
    ),
  ),
  query: queryOf({
    ...paging,
    merchant: T.Optional(T.String({ description: 'An id, or `shared`.', maxLength: 40 })),
  }),
  async handle(deps, { query }) {
    const { merchant, cursor, limit = pageSize } = query
    const [after] = cursor === undefined ? [] : readCursor(cursor, (part) => part.length < 100)
    const of =
      merchant === undefined ? undefined : merchant === 'shared' ? ('shared' as const) : merchantOf(merchant)
    const page = { ...given({ of, after }), limit: limit + 1 }
    const rows = await selectConnectionPage(deps.http.sql, page)
    const answers = await selectLastAnswers(
      deps.http.sql,
      rows.map(({ id }) => id),
    )
    const answersOf = new Map(answers.map(({ connection: id, ...each }) => [id, each]))
    return pageOf(rows, limit, (row) => {
      const endsAt = firstEnd(deps.operator.connectionTypes, row)
      return {
        ...record(deps, row),
        ...given({ endsAt }),
        ...withoutNulls(answersOf.get(row.id) ?? {}),
      }
    })
  },
})

const whole = T.Object({
  ...connectionFields,
  callback: T.Optional(
    T.Object({
      url: T.String(),
      isByHand: T.Boolean({
        description: 'A person enters it at the provider; else the job connection.register does.',
      }),
    }),
  ),
  certificates: T.Array(
    T.Object({
      field: T.String(),
      subject: T.Optional(T.String()),
      endsAt: T.Optional(instant('Absent where it cannot be read here, as in PKCS #12.')),
    }),
  ),
})

const get = operatorRoute({
  route: 'GET /operator/connections/{id}',
  idForm: 'text',
  operationId: 'getConnection',
  summary: 'One connection, with the address of its callbacks and its certificates',
  answer: whole,
  handle: (deps, { id }) => wholeOf(deps, id),
})

async function wholeOf(deps: DashboardDeps, id: string) {
  const { connectionTypes: types } = deps.operator
  const row = await selectListedConnection(deps.http.sql, id as ConnectionId)
  if (row === undefined) throw noSuch('connection')
  const hasType = types.find(row) !== undefined
  const callback = hasType ? await types.callbackOf(row.id) : undefined
  const opened = types.opened(row.id)
  return {
    ...record(deps, row),
    ...given({ callback }),
    certificates: opened === undefined ? [] : certificatesOf(opened),
  }
}

const parts = {
  provider: T.String({ minLength: 1, maxLength: 100 }),
  settings: fields,
  secrets: fields,
  refundSecrets: T.Optional(fields),
  reason: anyReason,
}
/** Certificates and keys in PEM, some of each. */
const bodyBytesMax = 262_144

function partsOf(
  type: ConnectionType,
  sent: Readonly<Record<string, unknown>> & { readonly provider: string },
): ConnectionParts {
  const read = readSentParts(type, sent)
  if (read.ok) return read.connection
  throw new AppError('invalid_request', 'The connection is not valid; nothing was changed.', {
    faults: read.faults,
  })
}

const add = operatorRoute({
  route: 'POST /operator/connections',
  permission: 'operator:write',
  bodyBytesMax,
  concern: 'money',
  operationId: 'addConnection',
  summary: 'Adds a connection of one merchant (`merchantId`), or one for all of a mode (`mode`)',
  status: 201,
  answer: whole,
  body: bodyOf({
    type: T.String({ maxLength: 40, description: 'The `name` of a type.' }),
    merchantId: T.Optional(uuid()),
    mode: T.Optional(mode),
    ...parts,
  }),
  async handle(deps, call) {
    const { type: name, merchantId, mode: of, reason, ...sent } = call.body
    const type = deps.operator.connectionTypes.named(name)
    if (type === undefined) throw new AppError('invalid_request', `There is no type of connection ${name}.`)
    const owner = ownerOf(merchantId, of)
    const request = { ...partsOf(type, sent), owner, ...because(reason) }
    const id = await addConnectionAs(connectionDeps(deps), operatorOf(call), type, request)
    return wholeOf(deps, id)
  },
})

function ownerOf(merchantId: string | undefined, of: 'LIVE' | 'SANDBOX' | undefined) {
  if (merchantId !== undefined && of === undefined) return { merchantId: merchantOf(merchantId) }
  if (merchantId === undefined && of !== undefined) return { mode: of }
  throw new AppError(
    'invalid_request',
    'Give either merchantId or mode: a merchant’s connection has the mode of its merchant.',
  )
}

const replace = operatorRoute({
  route: 'PUT /operator/connections/{id}',
  idForm: 'text',
  permission: 'operator:write',
  bodyBytesMax,
  concern: 'money',
  operationId: 'replaceConnection',
  summary: 'Replaces settings and all secrets, such as a renewed certificate',
  answer: whole,
  body: bodyOf(parts),
  async handle(deps, call) {
    const { reason, ...sent } = call.body
    const found = await requireConnection(
      deps.http.sql,
      deps.operator.connectionTypes,
      call.id as ConnectionId,
    )
    const request = { ...partsOf(found.type, sent), ...because(reason) }
    await replaceConnectionAs(connectionDeps(deps), operatorOf(call), found, request)
    return wholeOf(deps, call.id)
  },
})

function connectionDeps({ http, operator }: DashboardDeps) {
  const { cell, sealFor, hasOwnKeys } = operator
  return { sql: http.sql, cell, sealFor, hasOwnKeys, usesDirectory: false }
}

const switchActive = operatorRoute({
  route: 'PATCH /operator/connections/{id}',
  idForm: 'text',
  permission: 'operator:write',
  concern: 'money',
  operationId: 'switchConnection',
  summary: 'Gives a connection new payments, or no more',
  answer: whole,
  body: bodyOf({ isActive: T.Boolean(), reason: anyReason }),
  async handle(deps, call) {
    const { isActive, reason } = call.body
    const { row } = await requireConnection(
      deps.http.sql,
      deps.operator.connectionTypes,
      call.id as ConnectionId,
    )
    await switchConnection(deps.http, operatorOf(call), row, { isActive, ...because(reason) })
    return wholeOf(deps, call.id)
  },
})

/** What asks the provider needs its secrets, and so a worker. */
function asJob(word: 'test' | 'register', summary: string) {
  return operatorRoute({
    route: `POST /operator/connections/{id}/${word}`,
    idForm: 'text',
    permission: 'operator:write',
    concern: word === 'test' ? none('a harmless read') : 'money',
    operationId: `${word}Connection`,
    summary,
    status: 202,
    answer: jobShape,
    body: bodyOf({}),
    async handle(deps, { id, by }) {
      const { http, operator } = deps
      const { row } = await requireConnection(http.sql, operator.connectionTypes, id as ConnectionId)
      return jobRequested(deps, by, `connection.${word}`, { connectionId: row.id })
    },
  })
}

/** Two days of hours in which the provider was called. */
const hoursShown = 48

const health = operatorRoute({
  route: 'GET /operator/connections/{id}/health',
  idForm: 'text',
  operationId: 'getConnectionHealth',
  summary:
    'How the provider answered: the last 48 hours in which it was called, newest first; hours without a call are left out. Kept for 30 days',
  answer: T.Object({
    lastGoodAt: T.Optional(instant('When it last answered as it should, within some seconds.')),
    lastBadAt: T.Optional(instant('When a call last failed.')),
    lastError: T.Optional(T.String({ description: 'Of that call.' })),
    hours: T.Array(
      T.Object({
        hour: instant('Its begin.'),
        calls: count('Calls that have ended.'),
        errors: count('Of them: no answer came, or a fault of the provider’s.'),
        meanMs: count('Of all calls, in milliseconds.'),
        longestMs: count('Of the longest call.'),
      }),
    ),
  }),
  async handle({ http: { sql } }, { id }) {
    const rows = await selectHealth(sql, id, hoursShown)
    const good = rows.find(({ lastGoodAt }) => lastGoodAt !== null)?.lastGoodAt
    const bad = rows.find(({ lastBadAt }) => lastBadAt !== null)
    return {
      ...withoutNulls({
        lastGoodAt: good ?? null,
        lastBadAt: bad?.lastBadAt ?? null,
        lastError: bad?.lastError ?? null,
      }),
      hours: rows.map(({ hour, calls, errors, totalMs, longestMs }) => ({
        hour,
        calls: Number(calls),
        errors: Number(errors),
        meanMs: Number(totalMs / (calls === 0n ? 1n : calls)),
        longestMs: Number(longestMs),
      })),
    }
  },
})

export const connectionRoutes: readonly DashboardRoute[] = [
  health,
  forms,
  list,
  add,
  get,
  replace,
  switchActive,
  asJob('test', 'Gets a token from the provider and tries a harmless read: a job'),
  asJob('register', 'Registers the callback address at the provider: a job'),
]
