// Names of records of the operator's console that its routes do not name themselves, and the form of a connection.
import type { Answer, Row } from './call.ts'
import type { OperatorRefund, OperatorWithdrawal } from './generated.ts'

export type WholeMerchant = Answer<'getMerchant'>
export type ListedFreeze = Row<'listFreezes'>
export type Fee = Row<'listFees'>
export type MerchantWallet = Row<'listMerchantWallets'>
export type WholeConnection = Answer<'getConnection'>
export type ConnectionHealth = Answer<'getConnectionHealth'>
export type Attention = Answer<'getAttention'>
export type Queue = Row<'listQueues'>
export type WholePerson = Answer<'getUser'>
/** A link that is shown once. */
export type OneTimeLink = Answer<'createResetLink'>
export type HotWallet = Row<'listHotWallets'>
/** A withdrawal or refund, with why it has not ended. */
export type StuckPayout = OperatorWithdrawal | OperatorRefund
export type FoundCoins = Row<'listFoundCoins'>

/** A property of a form's JSON schema, as far as forms here are made of it. */
export type Property = {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly anyOf?: readonly { readonly const?: string }[]
  readonly items?: Property
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  /** What the field takes, in English. */
  readonly fault?: string
  /** It is the content of a file: as text, or in base64. */
  readonly file?: 'utf8' | 'base64'
  /** It is the id of a connection of this method. */
  readonly connectionOf?: string
}

export type FormSchema = {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}
