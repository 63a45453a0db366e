// Small things that several of the dashboard's routes share.
import type { FastifyRequest } from 'fastify'
import { Type as T, type TSchema } from 'typebox'
import type { Origin } from '#/people/user.ts'

/** From where a request comes, as sign-ins store it. */
export function placeOf({ ip, id, headers }: FastifyRequest): Origin {
  return { address: ip, userAgent: headers['user-agent'] ?? '', requestId: id }
}

type WithoutNulls<Row> = {
  readonly [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name]
} & { readonly [Name in keyof Row as null extends Row[Name] ? Name : never]?: Exclude<Row[Name], null> }

/** What is null is absent. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>
}

/** The answer of a list. */
export function listed<Row extends TSchema>(row: Row) {
  return T.Object({ data: T.Array(row), nextCursor: T.Optional(T.String()) })
}
