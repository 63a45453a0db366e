// Seats: a member acts at a merchant by an API key that has no secret. So whatever stores or compares who requested and who decided
// needs to know one kind of id only, and the rules for two people hold for members and their keys too.
import { randomBytes } from 'node:crypto'
import { scopes as allScopes } from '#/contract/keys.ts'
import type { Sql } from '#/db/client.ts'
import { newId, type ApiKeyId, type MerchantId, type UserId } from '#/kernel/id.ts'
import { type Scope } from './api-key.ts'
import * as queries from './key-queries.ts'

export type Member = {
  readonly merchantId: MerchantId
  readonly userId: UserId
  /** In small letters. Keys of which the operator says that this person holds them count as theirs. */
  readonly email: string
  /** What the role allows; permissions that are no scopes of keys do not matter here. */
  readonly permissions: ReadonlySet<string>
}

/** A seat as its holder uses it. */
export type Seat = { readonly keyId: ApiKeyId; readonly scopes: ReadonlySet<Scope> }

/** The seat of this member, with the scopes of the present role. Opened when the member first acts at the merchant. */
export async function seatOf(sql: Sql, { merchantId, userId, email, permissions }: Member): Promise<Seat> {
  const scopes = allScopes.filter((scope) => permissions.has(scope))
  const seat = await queries.selectSeat(sql, merchantId, userId)
  const isCurrent = seat !== undefined && seat.person === email && sameScopes(seat.scopes, scopes)
  const keyId = isCurrent
    ? seat.id
    : await queries.upsertSeat(sql, {
        merchantId,
        id: newId<'api-key'>(),
        // No key has this digest: it is not the hash of anything.
        digest: randomBytes(32),
        name: email,
        scopes,
        person: email,
        member: userId,
      })
  return { keyId, scopes: new Set(scopes) }
}

function sameScopes(a: readonly Scope[], b: readonly Scope[]): boolean {
  return a.length === b.length && a.every((scope) => b.includes(scope))
}
