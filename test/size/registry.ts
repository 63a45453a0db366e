// The entry of each function of a queries file: how it is called on big tables, and what it may cost there.
import type { Sql } from '#/db/client.ts'
import type { Claim } from '#/jobs/claim.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { asId } from '../as-id.ts'
import { atOf, idOf } from './fill.ts'

/** What a call is given. Rows are named by their number, from 1: the oldest three are of a rare kind. */
export type World = {
  /** Explains every statement. Stands for a pool and for a transaction. */
  readonly sql: Sql
  /** The same without explanations: to read what a call needs. */
  readonly raw: Sql
  readonly size: number
  /** Later than every row. */
  readonly now: Date
  /** The instant of a row. */
  readonly at: (row: number) => Date
  /** The identifier of a row of a table, of any brand. */
  readonly id: (table: string, row: number) => Id<never>
  /** The large merchant. */
  readonly merchantId: MerchantId
  /** Rows in the middle, the large merchant's. */
  readonly some: readonly number[]
  /** Their payments. */
  readonly refs: readonly PaymentRef[]
}

export type Call = (world: World) => unknown

/** How a function is called; if there are several ways, each is judged separately. */
export type Entry = Call | Special | readonly (Call | Special)[]

/** A function that examines more rows than it returns, with the reason, or one that is not run. */
export type Special = { readonly why: string; readonly atMost?: number; readonly calls?: readonly Call[] }

/** A function that examines more rows than the rule allows: at most this number, for this reason. */
export const bounded = (atMost: number, why: string, ...calls: readonly Call[]): Special => ({
  why,
  atMost,
  calls,
})

/** A function that reads all rows, with its purpose. */
export const everything = (why: string, ...calls: readonly Call[]): Special =>
  bounded(Infinity, why, ...calls)

/** A function that is not run here, for this reason. */
export const notRun = (why: string): Special => ({ why })

/** The slots of a worker that has nothing under way yet. */
export const slots: Slots = { total: 50, each: 50, byConnection: [] }

/** The lease of a worker's claim. */
export const leaseMs = 60_000

/** A worker's claim of a row. */
export const claimOf = (id: string): Claim => ({ id, connection: 'c2', number: 1 })

/** By the path of the file from src, and the name of the function. */
export type Registry = Readonly<Record<string, Readonly<Record<string, Entry>>>>

export function createWorld(handles: { readonly sql: Sql; readonly raw: Sql }, size: number): World {
  const middle = Math.floor(size / 200) * 100
  const some = [1, 2, 3].map((each) => middle + each)
  const id = (table: string, row: number) => asId<never>(idOf(table, row, size))
  const merchantId: MerchantId = id('merchant', 1)
  return {
    ...handles,
    size,
    now: new Date(atOf(size, size).getTime() + 2 * 365 * 24 * 3_600_000),
    at: (row) => atOf(row, size),
    id,
    merchantId,
    some,
    refs: some.map((row) => ({ merchantId, paymentId: id('payment', row) })),
  }
}

/** Reads a page, and then the one after its last row: for functions that read a table by its key. */
export const paged =
  <Row>(load: (sql: Sql, after: Row | undefined, limit: number) => Promise<readonly Row[]>): Call =>
  async ({ sql }) => {
    const first = await load(sql, undefined, pageRows)
    await load(sql, first.at(-1), pageRows)
  }

const pageRows = 100
