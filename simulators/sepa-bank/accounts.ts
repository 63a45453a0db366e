// Accounts: opened, booked, closed for a day, and the files that report it.
import { randomBytes } from 'node:crypto'
import { now } from '../kit/clock.ts'
import { found } from '../kit/refusal.ts'
import { dayBeside, dayOf, euro, type Account, type Bank, type BankFile, type Entry } from './bank.ts'
import * as camt from './camt.ts'
import { newIban } from './iban.ts'

/** Opens an account that holds these cents. Its first statement, of the day before, is sent when it has a URL. */
export function openAccount(bank: Bank, { holder, cents }: { holder: string; cents: bigint }): Account {
  const number = bank.store.next('account').toString()
  const seeded = (bank.store.seed % 1_000_000).toString().padStart(6, '0')
  const iban = newIban(`${seeded}${number.padStart(5, '0')}`)
  bank.log.add(`Account of ${holder}`, iban)
  return bank.accounts.put(iban, {
    iban,
    bic: 'SIMBPTPL',
    holder,
    callbackKey: randomBytes(24).toString('hex'),
    version: '08',
    payouts: 'pay',
    day: dayOf(now()),
    statements: 0,
    closing: `${cents}`,
    balance: `${cents}`,
  })
}

export function accountAt({ accounts }: Bank, iban: string | undefined): Account {
  return found(accounts.get(iban ?? ''), 'No such account here')
}

/** Sets where files go. The first time the account's holder also gets the statement that all others follow. */
export function deliverTo(bank: Bank, iban: string, url: string): void {
  const account = bank.accounts.put(iban, { ...accountAt(bank, iban), url })
  if (account.statements === 0) writeStatement(bank, account, dayBeside(account.day, -1))
}

export type NewEntry = Omit<Entry, 'reference' | 'iban' | 'day' | 'statement'>

/** Books entries, each with a notification of its own. */
export function book(bank: Bank, iban: string, entries: readonly NewEntry[]): readonly Entry[] {
  return entries.map((fields) => {
    const account = accountAt(bank, iban)
    const today = dayOf(now())
    const day = account.day < today ? today : account.day
    const reference = bank.store.name('entry', 16).toUpperCase()
    const entry = bank.entries.put(reference, { ...fields, reference, iban, day })
    const balance = `${BigInt(account.balance) + camt.signed(entry)}`
    const changed = bank.accounts.put(iban, { ...account, day, balance })
    bank.log.add(`${entry.isCredit ? 'Credit' : 'Debit'} of ${euro(BigInt(entry.cents))} EUR`, reference)
    const id = `N${bank.store.next('notification')}-${reference}`
    const text = camt.notification({ id, at: now(), account: changed, entries: [entry] })
    keepFile(bank, changed, { message: `camt.054.001.${changed.version}`, text })
    return entry
  })
}

/** Ends the banking day: its statement is sent, and what is booked from now on is of the next day. */
export function closeDay(bank: Bank, iban: string): BankFile {
  const account = accountAt(bank, iban)
  const today = dayOf(now())
  const day = account.day < today ? today : account.day
  const file = writeStatement(bank, account, day)
  bank.accounts.put(iban, { ...accountAt(bank, iban), day: dayBeside(day, 1) })
  return file
}

function writeStatement(bank: Bank, account: Account, day: string): BankFile {
  const entries = openEntries(bank, account.iban)
  const number = account.statements + 1
  const text = camt.statement({
    id: camt.statementId(account, Date.parse(`${day}T12:00:00Z`)),
    at: now(),
    account,
    entries,
    day,
    opening: BigInt(account.closing),
  })
  for (const entry of entries) bank.entries.put(entry.reference, { ...entry, statement: number })
  bank.accounts.put(account.iban, { ...account, statements: number, closing: account.balance })
  bank.log.add(`Statement ${number} of ${day}`, account.iban)
  return keepFile(bank, account, { message: `camt.053.001.${account.version}`, text })
}

/** Makes a wrong statement: it opens with one cent more than the last one closed with. The bank's own state does not change. */
export function forgeStatement(bank: Bank, iban: string): BankFile {
  const account = accountAt(bank, iban)
  const text = camt.statement({
    id: `F${bank.store.next('forged')}-${iban.slice(-8)}`,
    at: now(),
    account,
    entries: [],
    day: account.day,
    opening: BigInt(account.closing) + 1n,
  })
  bank.log.add('A forged statement', iban)
  return keepFile(bank, account, { message: `camt.053.001.${account.version}`, text })
}

function openEntries({ entries }: Bank, iban: string): readonly Entry[] {
  return [...entries.all()].filter((each) => each.iban === iban && each.statement === undefined)
}

/** Offers a file for download, and delivers it where the account has a URL. */
export function keepFile(
  bank: Bank,
  { iban }: Account,
  { message, text }: Pick<BankFile, 'message' | 'text'>,
): BankFile {
  const id = `${bank.store.next('file').toString().padStart(6, '0')}-${message}`
  const file = bank.files.put(id, { id, iban, message, at: now(), text })
  deliver(bank, file)
  return file
}

/** Delivers a file, also one that was delivered before. */
export function deliver(bank: Bank, { id, iban }: BankFile): void {
  const { url } = accountAt(bank, iban)
  if (url !== undefined) bank.outbox.post({ iban, url, file: id })
}
