// How a member may call the routes of a merchant: the session says who they are, the membership whether this merchant exists for them, and
// the role what they may do. They act by their seat (merchants/member-keys.ts).
import type { FastifyRequest } from 'fastify'
import { requireOpenAccount } from '#/http/account-acts.ts'
import type { HttpDeps } from '#/http/deps.ts'
import type { Entrance } from '#/http/mount.ts'
import type { Caller } from '#/http/route.ts'
import { noSuch } from '#/kernel/error.ts'
import { isUuid } from '#/kernel/id.ts'
import { seatOf } from '#/merchants/member-keys.ts'
import type { SubAccountState } from '#/merchants/sub-account.ts'
import { bodyNeedsFactor, needsFactor } from '#/people/concern.ts'
import { permissionsOf, type Permission, type Role } from '#/people/roles.ts'
import { requireFactor } from './step-up.ts'
import { requirePermission, requireVisitor, type FindVisitor, type Visitor } from './visitor.ts'

export type MerchantCaller = Caller & {
  readonly visitor: Visitor
  readonly merchant: Caller['merchant'] & { readonly name: string }
  /** The state of the sub-account; absent for a merchant without a parent. */
  readonly accountState?: SubAccountState
  readonly role: Role
  readonly permissions: ReadonlySet<Permission>
}

export type MemberAuth = {
  identify(request: FastifyRequest): Promise<MerchantCaller>
}

/** Finds the caller and the merchant that the path names: 401 without a session, 404 for another's merchant. */
export function createMemberAuth({ sql }: Pick<HttpDeps, 'sql'>, findVisitor: FindVisitor): MemberAuth {
  return {
    async identify(request) {
      const visitor = await requireVisitor(findVisitor, request)
      const { merchant: text = '' } = request.params as { readonly merchant?: string }
      const id = text.toLowerCase()
      const membership = visitor.memberships.find((each) => isUuid(id) && each.merchantId === id)
      if (membership === undefined) throw noSuch('merchant')
      const { merchantId, merchantName, mode, role, accountState } = membership
      const permissions = new Set(permissionsOf(role))
      const { id: userId, email } = visitor.user
      const { keyId } = await seatOf(sql, { merchantId, userId, email, permissions })
      const merchant = { id: merchantId, name: merchantName, mode }
      const state = accountState === null ? {} : { accountState: accountState as SubAccountState }
      return { visitor, merchant, ...state, role, permissions, keyId }
    },
  }
}

/** The entrance to the routes of the API for members. */
export function memberEntrance(deps: HttpDeps, memberAuth: MemberAuth): Entrance<MerchantCaller> {
  return {
    identify: memberAuth.identify,
    admit({ permissions, visitor, merchant, accountState }, route) {
      requirePermission(permissions, route.scope)
      requireOpenAccount(accountState, route)
      if (needsFactor(route)) requireFactor(visitor, merchant.mode)
    },
    admitBody({ visitor, merchant }, route, body) {
      if (bodyNeedsFactor(route, body)) requireFactor(visitor, merchant.mode)
    },
    originOf: (caller, request) => byOf(caller.visitor, request),
    deps,
  }
}

/** Who does it, for the audit log. */
export function byOf({ user }: Visitor, request: Pick<FastifyRequest, 'ip' | 'id'>) {
  return { actor: { kind: 'USER', id: user.id }, address: request.ip, requestId: request.id } as const
}
