// Sub-accounts, as their parent and the operator make and change them. Each change writes its entry of the audit log in its own
// transaction.
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { sha256 } from '#/kernel/secret.ts'
import { next } from '#/kernel/state.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { requireStart } from './account-state.ts'
import { notValid, type Scope } from './api-key.ts'
import { insertKey, selectKey, type KeyRow } from './key-queries.ts'
import { requireWithin } from './key-rights.ts'
import { mintKey, type KeyMint } from './keys.ts'
import { createMerchant, type MerchantDeps, type OpenWallets } from './merchant.ts'
import { selectStillOpen } from './sub-account-queries.ts'
import * as queries from './sub-account-queries.ts'
import { whyOpen, subAccountTransitions, type SubAccount, type SubAccountDecider } from './sub-account.ts'

/** The most sub-accounts of one merchant. */
const subAccountsMax = 10_000

export type SubAccountRequest = {
  readonly name: string
  readonly taxId?: string
  readonly reference?: string
}

type Parent = { readonly id: MerchantId; readonly mode: Mode }

export type SubAccountDeps = MerchantDeps & { readonly openWallets: OpenWallets }

/** `webhookSecret`: shown this once. Absent when the same key made the sub-account before. */
export type MadeSubAccount = { readonly account: SubAccount; readonly webhookSecret?: Buffer }

/**
 * Makes a sub-account: a merchant with wallets and a webhook secret of its own, PENDING. Errors: 409 when the caller is a sub-account
 * itself, or when the key made one with another body; 422 above `subAccountsMax`.
 */
export async function makeSubAccount(
  deps: SubAccountDeps,
  parent: Parent,
  request: SubAccountRequest & { readonly idempotencyKey?: string },
  by: By,
): Promise<MadeSubAccount> {
  const { idempotencyKey, ...body } = request
  const fingerprint = sha256(canonicalJson(body))
  const replayed = async (): Promise<MadeSubAccount | undefined> => {
    if (idempotencyKey === undefined) return undefined
    const before = await queries.selectByKey(deps.sql, parent.id, idempotencyKey)
    if (before === undefined) return undefined
    if (before.fingerprint.equals(fingerprint)) return { account: before }
    throw new AppError('idempotency_conflict', `The key made sub-account ${before.id} with another body.`)
  }
  const before = await replayed()
  if (before !== undefined) return before
  const openWallets: OpenWallets = async (tx, id, at) => {
    await queries.lockParent(tx, parent.id)
    await requireRoom(tx, parent.id)
    await deps.openWallets(tx, id, at)
    await queries.insertSubAccount(tx, {
      id,
      parentId: parent.id,
      taxId: body.taxId ?? null,
      reference: body.reference ?? null,
      createdAt: at,
      idempotencyKey: idempotencyKey ?? null,
      fingerprint: idempotencyKey === undefined ? null : fingerprint,
    })
    const entry = { ...by, action: 'sub-account.create', subject: `merchant:${id}`, merchantId: parent.id }
    await writeAudit(tx, [{ ...entry, after: body }])
  }
  try {
    const made = await createMerchant({ ...deps, openWallets }, { mode: parent.mode, name: body.name })
    const account = await requireSubAccount(deps.sql, parent.id, made.merchant.id)
    return { account, webhookSecret: made.webhookSecret }
  } catch (error) {
    // Two requests with one key at the same time: the other one was faster.
    const other = error instanceof AppError ? undefined : await replayed()
    if (other === undefined) throw error
    return other
  }
}

async function requireRoom(tx: Tx, parentId: MerchantId): Promise<void> {
  const { isSubAccount, count } = await queries.selectFamily(tx, parentId)
  if (isSubAccount) throw new AppError('invalid_state', 'A sub-account has no sub-accounts of its own.')
  if (count >= subAccountsMax)
    throw new AppError('limit_exceeded', `A merchant has at most ${subAccountsMax} sub-accounts.`)
}

/** The parent's sub-account. 404 when it has none of this id. */
export async function requireSubAccount(
  sql: Sql | Tx,
  parentId: MerchantId,
  id: MerchantId,
): Promise<SubAccount> {
  const [account] = await queries.selectSubAccounts(sql, parentId, [id])
  if (account === undefined) throw unknownSubAccount()
  return account
}

function unknownSubAccount(): AppError {
  return new AppError('not_found', 'There is no such sub-account.')
}

/** The states that a change can ask for. `PENDING` ends a suspension; ACTIVE is the operator's alone. */
export type SubAccountWish = {
  readonly name?: string
  readonly taxId?: string
  readonly reference?: string
  readonly state?: SubAccount['state']
}

/**
 * Changes a sub-account. Errors: 404; 403 when the parent requests what only the operator may do; 409 when the state does not allow it, or
 * when a sub-account of which anything is still open is to be closed.
 */
export async function changeSubAccount(
  sql: Sql,
  { id, parentId }: { readonly id: MerchantId; readonly parentId?: MerchantId },
  wish: SubAccountWish,
  by: By,
): Promise<SubAccount> {
  const decider: SubAccountDecider = parentId === undefined ? 'OPERATOR' : 'PARENT'
  const changed = await sql.begin(async (tx): Promise<SubAccount> => {
    // Locked before the row of the sub-account, as the lane does. So nothing is credited to it between the reading of its balances and the
    // end of this transaction.
    if (wish.state === 'CLOSED') await queries.lockBooks(tx)
    const before = await queries.lockSubAccount(tx, id)
    if (before === undefined || (parentId !== undefined && before.parentId !== parentId))
      throw unknownSubAccount()
    const state = stateAfter(before, wish, decider)
    if (state === 'CLOSED') await requireNothingOpen(tx, id)
    const after = {
      name: wish.name ?? before.name,
      taxId: wish.taxId ?? before.taxId,
      reference: wish.reference ?? before.reference,
      state,
    }
    const suspendedBy = state === 'SUSPENDED' ? (before.suspendedBy ?? decider) : null
    const isActivated = state === 'ACTIVE' && before.state !== 'ACTIVE'
    await queries.writeSubAccount(tx, id, { ...after, suspendedBy, isActivated })
    const { name, taxId, reference } = before
    const subject = `merchant:${id}`
    const was = { name, taxId, reference, state: before.state }
    const entry = {
      ...by,
      action: 'sub-account.change',
      subject,
      merchantId: before.parentId,
      before: was,
      after,
    }
    await writeAudit(tx, [entry])
    return before
  })
  return requireSubAccount(sql, changed.parentId, id)
}

/** Throws 409 with all that is still open. */
async function requireNothingOpen(tx: Tx, id: MerchantId): Promise<void> {
  const refusal = whyOpen(await selectStillOpen(tx, id))
  if (refusal !== undefined) throw refusal
}

function stateAfter(
  { state, suspendedBy }: SubAccount,
  { state: requested = state }: SubAccountWish,
  decider: SubAccountDecider,
): SubAccount['state'] {
  if (state === 'CLOSED') throw refusedState('is final', 'A closed sub-account does not change.')
  if (requested === state) return state
  if (requested === 'ACTIVE' && decider === 'PARENT')
    throw new AppError('forbidden', 'The operator alone makes a sub-account ACTIVE.', {
      faults: [{ pointer: '/state', code: 'not_allowed', message: 'is for the operator' }],
    })
  if (state === 'SUSPENDED' && suspendedBy === 'OPERATOR' && decider === 'PARENT' && requested === 'PENDING')
    throw new AppError('forbidden', 'The operator suspended it, and alone ends that.')
  const event = (
    { ACTIVE: 'activated', SUSPENDED: 'suspended', PENDING: 'resumed', CLOSED: 'closed' } as const
  )[requested]
  const after = next(subAccountTransitions, state, event)
  if (after === undefined)
    throw refusedState('cannot follow', `It is ${state}, so it cannot become ${requested}.`)
  return after
}

function refusedState(message: string, detail: string): AppError {
  const fault: FieldFault = { pointer: '/state', code: 'not_allowed', message }
  return new AppError('invalid_state', detail, { faults: [fault] })
}

/**
 * Makes an API key of the sub-account by a key of its parent. It has at most that key's rights and counts as the same person, so a parent
 * that makes two keys is not two people. The key itself is shown this once. Errors: 403, 404; 409 for a closed sub-account.
 */
export async function makeSubAccountKey(
  { sql, mint }: { readonly sql: Sql; readonly mint: KeyMint },
  caller: { readonly merchant: Parent; readonly keyId: ApiKeyId; readonly origin: By },
  id: MerchantId,
  request: { readonly name: string; readonly scopes: readonly Scope[] },
): Promise<{ readonly row: KeyRow; readonly key: string }> {
  const account = await requireSubAccount(sql, caller.merchant.id, id)
  const made = await sql.begin(async (tx) => {
    requireStart(await queries.lockState(tx, id), 'key')
    const calling = await selectKey(tx, caller.merchant.id, caller.keyId)
    if (calling === undefined || calling.revokedAt !== null || calling.isExpired)
      throw new AppError('unauthenticated', notValid)
    const rights = {
      scopes: [...new Set(request.scopes)],
      expiresAt: calling.expiresAt,
      allowedCidrs: calling.allowedCidrs,
    }
    requireWithin(calling, rights)
    const { lineage, person } = calling
    const given = {
      merchantId: id,
      name: request.name,
      ...rights,
      createdAt: await readNow(tx),
      lineage,
      person,
    }
    const minted = mintKey(mint, account.mode, given)
    await insertKey(tx, minted.row)
    const subject = `key:${minted.row.id}`
    const after = { name: request.name, scopes: rights.scopes, subAccount: id }
    await writeAudit(tx, [
      { ...caller.origin, action: 'key.create', subject, merchantId: caller.merchant.id, after },
    ])
    return { id: minted.row.id, key: minted.key }
  })
  const row = await selectKey(sql, id, made.id)
  if (row === undefined) throw unknownSubAccount()
  return { row, key: made.key }
}
