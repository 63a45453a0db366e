// Small things that several of the dashboard's routes share.
import type { FastifyRequest } from 'fastify'
import { Type as T, type TProperties, type TSchema } from 'typebox'
import type { Origin } from '#/people/user.ts'

/** From where a request comes, as sign-ins store it. */
export function placeOf({ ip, id, headers }: FastifyRequest): Origin {
  return { address: ip, userAgent: headers['user-agent'] ?? '', requestId: id }
}

/** The answer of a list. */
export function listed<Row extends TSchema>(row: Row) {
  return T.Object({ data: T.Array(row), nextCursor: T.Optional(T.String()) })
}

/** A body of these fields and no others. */
export function bodyOf<Fields extends TProperties>(fields: Fields) {
  return T.Object(fields, { additionalProperties: false })
}
