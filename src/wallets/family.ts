// Transfers between a platform and its sub-account: whose wallets they are, whether the two may give and take, and what is
// booked. The platform may give at any time. It takes only by an ACTIVE grant (decision 132).
import { walletCurrencies } from '#/contract/words.ts'
import type { Tx } from '#/db/client.ts'
import type { ApiKeyId, MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, type Currency } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { Occasion } from '#/ledger/recipe-parts.ts'
import { givenToSubAccount, takenFromSubAccount } from '#/ledger/share-recipes.ts'
import type { FreezeScope } from '#/merchants/freeze.ts'
import { objectionToHolder, type Holders } from '#/merchants/lineage.ts'
import { selectFreezes, selectHolders } from '#/merchants/queries.ts'
import { selectSubAccountsAmong } from '#/merchants/sub-account-queries.ts'
import type { SubAccount, SubAccountState } from '#/merchants/sub-account.ts'
import { stopOf } from '#/money-out/gate.ts'
import type { Objection } from '#/people/person.ts'
import type { OwnTransferRequest } from './own-transfer.ts'
import { selectDefaultWallets } from './queries.ts'
import { grantStatus, type TransferGrant } from './transfer-grant.ts'
import { selectNewestGrants } from './transfer-queries.ts'

/** One of the platform's own wallets, or of its sub-account's. */
export type Purse = { readonly id: WalletId; readonly currency: Currency; readonly isActive: boolean }

export type Families = {
  readonly accounts: ReadonlyMap<MerchantId, SubAccount>
  /** By sub-account and currency. */
  readonly defaults: ReadonlyMap<string, Purse>
  /** By sub-account and currency: the newest grant that is not revoked, as the items before have left it. */
  readonly grants: Map<string, TransferGrant>
  readonly freezes: readonly FreezeScope[]
  /** Who holds the keys that take, and those that gave the grants. */
  readonly holders: Holders
}

const none: Families = {
  accounts: new Map(),
  defaults: new Map(),
  grants: new Map(),
  freezes: [],
  holders: new Map(),
}

/** The sub-account that the request names, and the side on which it is. Absent: a transfer between own wallets. */
export function namedSubAccount({
  fromSubAccountId,
  toSubAccountId,
}: OwnTransferRequest): { readonly id: MerchantId; readonly side: 'from' | 'to' } | undefined {
  if (fromSubAccountId !== undefined) return { id: fromSubAccountId, side: 'from' }
  return toSubAccountId === undefined ? undefined : { id: toSubAccountId, side: 'to' }
}

/** Loads what transfers with sub-accounts need. A batch without one makes no query here. */
export async function loadFamilies(
  tx: Tx,
  items: readonly {
    readonly merchantId: MerchantId
    readonly requestedBy?: ApiKeyId | undefined
    readonly request: OwnTransferRequest
  }[],
): Promise<Families> {
  const named = items.flatMap(({ merchantId, request, requestedBy }) => {
    const sub = namedSubAccount(request)
    return sub === undefined ? [] : [{ ...sub, parentId: merchantId, requestedBy }]
  })
  if (named.length === 0) return none
  const ids = [...new Set(named.map(({ id }) => id))]
  const inAll = ids.flatMap((merchantId) => walletCurrencies.map((currency) => ({ merchantId, currency })))
  const taken = new Set(named.filter(({ side }) => side === 'from').map(({ id }) => id))
  const [accounts, defaults, grants, freezes] = await Promise.all([
    selectSubAccountsAmong(tx, ids),
    selectDefaultWallets(tx, inAll),
    taken.size === 0
      ? []
      : selectNewestGrants(
          tx,
          inAll.filter(({ merchantId }) => taken.has(merchantId)),
        ),
    selectFreezes(tx, [...new Set([...ids, ...named.map(({ parentId }) => parentId)])]),
  ])
  const askers = named.flatMap(({ side, requestedBy }) => (side === 'from' ? (requestedBy ?? []) : []))
  const holders =
    grants.length === 0
      ? none.holders
      : await selectHolders(tx, [...askers, ...grants.map((each) => each.givenBy)])
  return {
    holders,
    accounts: new Map(accounts.map((account) => [account.id, account])),
    // A default wallet is active: the database checks it.
    defaults: new Map(
      defaults.map(({ merchantId, ...wallet }) => [
        `${merchantId}/${wallet.currency}`,
        { ...wallet, isActive: true },
      ]),
    ),
    grants: new Map(grants.map((grant) => [`${grant.merchantId}/${grant.currency}`, grant])),
    freezes,
  }
}

/** Why a platform and its sub-account may not move this. */
export type FamilyRefusal =
  | { readonly kind: 'sub_account_state'; readonly side: 'from' | 'to'; readonly state: SubAccountState }
  | { readonly kind: 'frozen' }
  /** Who takes has given the grant: one person is no consent. */
  | { readonly kind: 'objected'; readonly objection: Objection }
  /** `leftMinor`: what the ACTIVE grant still allows. Absent: there is no ACTIVE grant. */
  | { readonly kind: 'not_granted'; readonly leftMinor?: bigint }

/** Why `minor` may not be moved; or that it may, with the grant as it is afterwards if the platform takes it. */
export function allowFamily(
  { freezes, grants, holders }: Families,
  account: SubAccount,
  {
    side,
    currency,
    minor,
    requestedBy,
  }: {
    readonly side: 'from' | 'to'
    readonly currency: Currency
    readonly minor: bigint
    readonly requestedBy?: ApiKeyId | undefined
  },
  now: Date,
): FamilyRefusal | { readonly kind: 'allowed'; readonly grant?: TransferGrant } {
  const { id, parentId, state } = account
  const out =
    side === 'to'
      ? ({ way: 'GIVEN', merchantId: parentId, account: state } as const)
      : ({ way: 'TAKEN', merchantId: id, account: state } as const)
  const stop = stopOf({ freezes }, out)
  if (stop !== undefined)
    return stop.reason === 'account' ? { kind: 'sub_account_state', side, state } : { kind: 'frozen' }
  if (side === 'to') return { kind: 'allowed' }
  const grant = grants.get(`${id}/${currency}`)
  if (grant === undefined || grantStatus(grant, now) !== 'ACTIVE') return { kind: 'not_granted' }
  const objection = objectionToHolder(holders, [grant.givenBy], requestedBy)
  if (objection !== undefined) return { kind: 'objected', objection }
  const { maxMinor, takenMinor } = grant
  if (maxMinor !== null && takenMinor + minor > maxMinor)
    return { kind: 'not_granted', leftMinor: maxMinor - takenMinor }
  const after = { ...grant, takenMinor: takenMinor + minor, version: grant.version + 1 }
  return { kind: 'allowed', grant: after }
}

/** All accounts that a transfer between these wallets may post to. */
export function familyAccounts(
  mode: Mode,
  { id, parentId }: Pick<SubAccount, 'id' | 'parentId'>,
  wallets: { readonly platform: Purse; readonly recipient: Purse },
) {
  const { currency } = wallets.platform
  return {
    platform: {
      available: chart.walletAvailable(mode, wallets.platform.id, currency),
      receivable: chart.receivable(mode, parentId, currency),
    },
    recipient: {
      available: chart.walletAvailable(mode, wallets.recipient.id, currency),
      receivable: chart.receivable(mode, id, currency),
      owes: chart.owes(mode, id, currency),
      owed: chart.owed(mode, parentId, currency),
    },
  }
}

/** The postings of `minor`. Money that the platform gives repays the sub-account's debts; one with a debt has no money to be taken. */
export function familyPostings(
  { books }: Pick<Batch, 'books'>,
  side: 'from' | 'to',
  { occasion, ...accounts }: ReturnType<typeof familyAccounts> & { readonly occasion: Occasion },
  minor: bigint,
): readonly Posting[] {
  const { receivable, owes } = accounts.recipient
  if (side === 'from') return takenFromSubAccount({ occasion, ...accounts }, minor)
  const toOperator = minOf(books.balance(receivable), minor)
  const toPlatform = minOf(books.balance(owes), minor - toOperator)
  return givenToSubAccount({ occasion, ...accounts }, { minor, toOperator, toPlatform })
}

/** The sub-account of this merchant. Undefined when it is none of its. */
export function ownSubAccount(
  { accounts }: Families,
  merchantId: MerchantId,
  id: MerchantId,
): SubAccount | undefined {
  const account = accounts.get(id)
  return account?.parentId === merchantId ? account : undefined
}
