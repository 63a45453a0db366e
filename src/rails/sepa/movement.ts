// What a file of the bank says of an account: its movements, in one shape for all kinds and versions.
import type { EntryIds, OfFile } from './ids.ts'

/**
 * One transfer on an account. A collected entry has several transfers, numbered by `part` from 1 on. Any other entry has one, with
 * `part` 0.
 */
export type Movement = {
  /** The place of its entry in the report. */
  readonly entry: number
  /** The name of the entry: the bank's own, or one of what the file says of it. Two entries of a report may have one. */
  readonly reference: string
  readonly part: number
  readonly isCredit: boolean
  readonly minor: bigint
  readonly currency: string
  /** The day on which the bank booked it (ISO 8601). */
  readonly bookedOn: string
  /** What the payer wrote, structured first. */
  readonly remittance: readonly string[]
  /** The reference that the sender of the transfer chose; ours, where we sent it. */
  readonly endToEndId?: string
  /** What the bank identifies it by. */
  readonly ids: EntryIds
  /** Texts in other parts, where some banks put a payer's reference. Absent: there are none. */
  readonly elsewhere?: readonly string[]
  /**
   * The names that only this transfer has: the bank's own name of the detail, TxId, UETR. A later movement may refer to the
   * transfer by them.
   */
  readonly names: readonly string[]
  /**
   * The movement undoes another transfer: the bank's reason (RtrInf). A credit brings back a transfer of ours; a debit takes back
   * one that came.
   */
  readonly returned?: { readonly reason: string }
  /** The other side, for a person. */
  readonly party?: { readonly name?: string; readonly iban?: string }
  /** The transfers of the entry do not make its amount, so nobody knows whose how much is. */
  readonly contradicts?: true
  /** One debit for a whole file of payments: what the bank says of the file. */
  readonly ofFile?: OfFile
}

/** Money in a currency that the books do not have: that came, or that undoes such money. */
export type ForeignEntry = Pick<
  Movement,
  'entry' | 'reference' | 'isCredit' | 'currency' | 'bookedOn' | 'ids'
> &
  Pick<Movement, 'remittance' | 'elsewhere' | 'endToEndId' | 'returned' | 'party'> & {
    /** A decimal, as the bank wrote it: we do not know how many places the currency has. */
    readonly amount: string
  }

export type Balance = { readonly minor: bigint; readonly on: string }

/** What a file says of an account in one currency. One account number can cover several, each with a report of its own. */
export type AccountReport = {
  readonly id: string
  readonly iban: string
  readonly currency: string
  /** In a currency of the books. */
  readonly movements: readonly Movement[]
  /** In any other currency. */
  readonly foreign: readonly ForeignEntry[]
  /** Debits in a currency that the books do not have, which move no money that came. */
  readonly passedOver: number
  /** Of a report of the day: how many movements it shows. */
  readonly seen?: number
  /** Of a statement in a currency of the books; a notification has no balances. */
  readonly balances?: { readonly opening: Balance; readonly closing: Balance }
}

export type CamtFile = {
  /** `REPORT`: of the day so far. It only shows that a movement was seen. */
  readonly kind: 'STATEMENT' | 'NOTIFICATION' | 'REPORT'
  /** Such as `camt.053.001.08`. */
  readonly message: string
  readonly reports: readonly AccountReport[]
}
