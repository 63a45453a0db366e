// What the bank has: accounts, entries, files, and payouts on their way. Amounts are cents, as decimal strings.
import type { Log } from '../kit/log.ts'
import type { Delivery, Outbox } from '../kit/outbox.ts'
import type { CommonOptions } from '../kit/program.ts'
import type { Store } from '../kit/store.ts'

export type BankOptions = CommonOptions & {
  /** Seconds before the second, third … delivery of a file. */
  readonly retrySeconds: readonly number[]
}

export const versions = ['02', '08'] as const
/** The version of camt.053 and camt.054. */
export type Version = (typeof versions)[number]

/** What becomes of the payments of a file: carried out, waiting for a control call, refused, or carried out and returned. */
export const payoutModes = ['pay', 'hold', 'reject', 'return'] as const
export type PayoutMode = (typeof payoutModes)[number]

export type Account = {
  readonly iban: string
  readonly bic: string
  readonly holder: string
  /** Signs the files that are delivered. */
  readonly callbackKey: string
  /** Where files are delivered. */
  readonly url?: string
  readonly version: Version
  readonly payouts: PayoutMode
  /** The banking day on which entries are booked (ISO 8601), if today is not later. */
  readonly day: string
  /** How many statements there are, and what the last one closed with. */
  readonly statements: number
  readonly closing: string
  readonly balance: string
}

export type Entry = {
  /** AcctSvcrRef. */
  readonly reference: string
  readonly iban: string
  readonly isCredit: boolean
  readonly cents: string
  readonly day: string
  readonly partyName: string
  readonly partyIban?: string
  /** The creditor reference, in the structured field. */
  readonly structured?: string
  readonly text?: string
  readonly endToEndId?: string
  /** The name of the transfer between banks. */
  readonly txId?: string
  /** Why a transfer of the account's holder came back, or why a credit was taken back. */
  readonly returned?: string
  /** Of a debit: the credit that it takes back. */
  readonly recalls?: string
  /** The statement that has it. */
  readonly statement?: number
}

export type BankFile = {
  readonly id: string
  readonly iban: string
  /** Such as `camt.054.001.08`. */
  readonly message: string
  readonly at: number
  readonly text: string
}

export type Payout = {
  readonly endToEndId: string
  readonly iban: string
  readonly messageId: string
  readonly cents: string
  readonly toIban: string
  readonly toName: string
  readonly state: 'HELD' | 'PAID' | 'REJECTED' | 'RETURNED'
}

/** A file of payments that was handed in. */
export type Upload = { readonly sha256: string; readonly report: string }

/** A file on its way to an account's URL. */
export type Letter = { readonly iban: string; readonly url: string; readonly file: string }

export type Task = Delivery<Letter>

export function tablesOf(store: Store<Task>) {
  return {
    accounts: store.table<Account>('accounts'),
    entries: store.table<Entry>('entries'),
    files: store.table<BankFile>('files'),
    payouts: store.table<Payout>('payouts'),
    uploads: store.table<Upload>('uploads'),
  }
}

export type Bank = ReturnType<typeof tablesOf> & {
  readonly store: Store<Task>
  readonly outbox: Outbox<Letter>
  readonly log: Log
}

/** `45.00` of `4500`. */
export function euro(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Cents of `45.00`, at most 999,999,999.99; undefined for any other text. */
export function centsOf(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || !/^\d{1,9}\.\d{2}$/.test(text)) return undefined
  return BigInt(text.replace('.', ''))
}

/** The day of an instant, in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The day after or before a day. */
export function dayBeside(day: string, by: 1 | -1): string {
  return dayOf(Date.parse(`${day}T12:00:00Z`) + by * 86_400_000)
}
