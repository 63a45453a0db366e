// Reads camt.053 (statements), camt.054 (notifications) and camt.052 (reports of the day, which only show that money was seen) of ISO
// 20022, versions 02 to 13, into one shape. It trusts nothing: if a required part is missing or contradicts another, the whole file is refused.
import { detailsOf } from './camt-details.ts'
import { idsIn, nameOfEntry } from './camt-ids.ts'
import { amountOf, currencyOf, dayOf, decimalText, ibanAt, isCredit, requireWhole } from './camt-parts.ts'
import { sharesOf } from './camt-split.ts'
import { wordsOf } from './camt-texts.ts'
import { identifier } from './ids.ts'
import { kindOfMessage } from './kinds.ts'
import type { AccountReport, Balance, CamtFile, ForeignEntry, Movement } from './movement.ts'
import { UnreadableFile } from './unreadable.ts'
import { all, find, parseXml, textAt, type Element } from './xml.ts'

/** Reads a file. Throws UnreadableFile with the reason. */
export function parseCamt(bytes: Buffer): CamtFile {
  const { name, root } = parseXml(bytes)
  const message = messageOf(root)
  if (name !== 'Document' || message === undefined)
    throw new UnreadableFile(
      `it is ${kindOfMessage(Object.values(root.attributes), name)}: camt.052, camt.053 and camt.054 of version 02 to 13 are read`,
    )
  const { kind, outer, inner } = kindOf(message)
  const reports = all(find(root, outer), inner).flatMap((each) =>
    kind === 'REPORT' ? [seenOf(each)] : reportsOf(each, kind === 'STATEMENT'),
  )
  if (reports.length === 0) throw new UnreadableFile(`it has no ${inner}`)
  return { kind, message, reports }
}

/** What a message is, and where its reports are. */
function kindOf(message: string): {
  readonly kind: CamtFile['kind']
  readonly outer: string
  readonly inner: string
} {
  if (message.startsWith('camt.053')) return { kind: 'STATEMENT', outer: 'BkToCstmrStmt', inner: 'Stmt' }
  return message.startsWith('camt.052')
    ? { kind: 'REPORT', outer: 'BkToCstmrAcctRpt', inner: 'Rpt' }
    : { kind: 'NOTIFICATION', outer: 'BkToCstmrDbtCdtNtfctn', inner: 'Ntfctn' }
}

/**
 * A report of the day (camt.052) is provisional: the bank may still change what it says, and nothing compares it with a statement. So no
 * movement comes out of it, and nothing of it can be settled.
 */
function seenOf(element: Element): AccountReport {
  const { id, iban } = accountOf(element)
  const currency = textAt(element, 'Acct/Ccy') ?? 'EUR'
  return { id, iban, currency, movements: [], foreign: [], passedOver: 0, seen: all(element, 'Ntry').length }
}

/** The message that the namespace names. A bank may write it with any prefix. */
function messageOf({ attributes }: Element): string | undefined {
  const spaces = Object.values(attributes).flatMap(
    (value) =>
      /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[234]\.001\.(?:0[2-9]|1[0-3]))$/.exec(value)?.[1] ?? [],
  )
  return spaces[0]
}

/** The currencies of the books that a bank account can hold. */
const bookCurrencies: ReadonlySet<string> = new Set(['EUR', 'USD', 'BRL'])

/** Whether money in this currency on a bank account is booked. */
export function isBooked(currency: string): boolean {
  return bookCurrencies.has(currency)
}

/** The name of a report, and the account that it is about. */
function accountOf(element: Element): Pick<AccountReport, 'id' | 'iban'> {
  const id = textAt(element, 'Id') ?? ''
  const iban = ibanAt(element, 'Acct')
  if (iban === undefined) throw new UnreadableFile(`${id} names no IBAN`)
  return { id, iban }
}

function reportsOf(element: Element, isStatement: boolean): readonly AccountReport[] {
  const { id, iban } = accountOf(element)
  requireWhole(element, id)
  return [...entriesOf(element, id)].map(([currency, entries]) => {
    const base = { id, iban, currency }
    return isBooked(currency)
      ? { ...base, foreign: [], passedOver: 0, ...movementsIn(element, base, { entries, isStatement }) }
      : { ...base, movements: [], ...foreignIn(entries) }
  })
}

/** The movements of a report, and the balances that they must lead from and to. */
function movementsIn(
  element: Element,
  { id, currency }: Pick<AccountReport, 'id' | 'currency'>,
  { entries: elements, isStatement }: { readonly entries: readonly Element[]; readonly isStatement: boolean },
): Pick<AccountReport, 'movements' | 'balances'> {
  const entries = elements.map(movementsOf)
  // An entry with the amount zero, such as a notice of interest, moves nothing.
  const movements = entries.flat().filter(({ minor }) => minor > 0n)
  if (!isStatement) return { movements }
  const balances = {
    opening: balanceOf(element, id, { codes: ['OPBD', 'PRCD'], currency }),
    closing: balanceOf(element, id, { codes: ['CLBD'], currency }),
  }
  checkSum(id, balances, movements)
  return { movements, balances }
}

function foreignIn(entries: readonly Element[]): Pick<AccountReport, 'foreign' | 'passedOver'> {
  const moved = entries.map(foreignOf).filter(({ amount }) => /[1-9]/.test(amount))
  const foreign = moved.filter((each) => each.isCredit || each.returned !== undefined)
  return { foreign, passedOver: moved.length - foreign.length }
}

/**
 * Returns the booked entries by their currency. The first currency is that which the report is about.
 * - An entry is in the currency of the account, whatever the payer's currency was (that one is in AmtDtls).
 * - Only an account number that covers several currencies has entries in others. A statement shows that by balances in them; a
 *   notification, by naming no currency of the account.
 */
function entriesOf(element: Element, id: string): ReadonlyMap<string, readonly Element[]> {
  const balances = all(element, 'Bal').map((each) => ({
    currency: currencyOf(find(each, 'Amt')),
    code: textAt(each, 'Tp/CdOrPrtry/Cd'),
  }))
  const covered = new Set(balances.map(({ currency }) => currency))
  const named = textAt(element, 'Acct/Ccy')
  const own = named ?? (covered.has('EUR') ? 'EUR' : ([...covered][0] ?? 'EUR'))
  const isOfAny = named === undefined && covered.size === 0
  // A currency of which nothing moved has a chain of balances too.
  const closed = balances.flatMap(({ code, currency }) =>
    code === 'CLBD' && currency !== '' ? [currency] : [],
  )
  const known = isOfAny ? [] : [own, ...closed]
  const found = new Map<string, Element[]>(known.map((currency) => [currency, []]))
  for (const entry of all(element, 'Ntry').filter(isPosted)) {
    const other = currencyOf(find(entry, 'Amt'))
    if (other !== own && other !== '' && !isOfAny && !covered.has(other))
      throw new UnreadableFile(`${id} has an entry in ${other}, but is of an account in ${own}`)
    const currency = other === '' ? own : other
    const entries = found.get(currency) ?? []
    entries.push(entry)
    found.set(currency, entries)
  }
  return found.size === 0 ? new Map([[own, []]]) : found
}

/** Pending entries and mere information move nothing yet. `Sts` is a code in version 02, an element in 08. */
function isPosted(entry: Element): boolean {
  return textAt(entry, 'Sts/Cd', 'Sts') === 'BOOK'
}

/** The statement must add up: opening balance plus entries is the closing balance. */
function checkSum(
  id: string,
  { opening, closing }: NonNullable<AccountReport['balances']>,
  movements: readonly Movement[],
): void {
  const sum = movements.reduce(
    (total, { isCredit, minor }) => total + (isCredit ? minor : -minor),
    opening.minor,
  )
  if (sum !== closing.minor)
    throw new UnreadableFile(
      `${id} does not add up: its entries lead to ${sum}, and it closes with ${closing.minor}`,
    )
}

function balanceOf(
  element: Element,
  id: string,
  { codes, currency }: { readonly codes: readonly string[]; readonly currency: string },
): Balance {
  for (const code of codes) {
    const found = all(element, 'Bal').find(
      (each) => textAt(each, 'Tp/CdOrPrtry/Cd') === code && currencyOf(find(each, 'Amt')) === currency,
    )
    if (found === undefined) continue
    const { minor } = amountOf(find(found, 'Amt'), id)
    return { minor: isCredit(found, id) ? minor : -minor, on: dayOf(found, 'Dt', id) }
  }
  throw new UnreadableFile(`${id} has no balance ${codes.join(' or ')} in ${currency}`)
}

function foreignOf(element: Element, entry: number): ForeignEntry {
  const label = labelOf(element)
  const amount = find(element, 'Amt')
  const transfers = all(element, 'NtryDtls').flatMap((each) => all(each, 'TxDtls'))
  const only = transfers.length === 1 ? transfers[0] : undefined
  const isCame = isCredit(element, label)
  const decimal = decimalText(amount, label)
  const bookedOn = dayOf(element, 'BookgDt', label)
  const details = detailsOf(element, only, { name: textAt(element, 'AcctSvcrRef') ?? '', isCredit: isCame })
  // Its currency is kept beside its name.
  const content = contentOf(details, isCame, decimal)
  const reference = nameOfEntry(idsIn(element, only), { content, bookedOn, currency: 'EUR' })
  return {
    entry,
    reference,
    amount: decimal,
    currency: currencyOf(amount),
    isCredit: isCame,
    bookedOn,
    ...details,
  }
}

/** What an error calls an entry. */
function labelOf(element: Element): string {
  return textAt(element, 'AcctSvcrRef', 'NtryDtls/TxDtls/Refs/AcctSvcrRef') ?? 'an entry without AcctSvcrRef'
}

/** What the name of an entry without identifiers is made of. */
function contentOf(
  {
    remittance,
    elsewhere = [],
    endToEndId = '',
    party,
  }: Pick<Movement, 'remittance' | 'elsewhere' | 'endToEndId' | 'party'>,
  isCame: boolean,
  amount: string,
): readonly string[] {
  return [
    String(isCame),
    amount,
    endToEndId,
    party?.iban ?? '',
    party?.name ?? '',
    ...remittance,
    ...elsewhere,
  ]
}

function movementsOf(element: Element, entry: number): readonly Movement[] {
  const label = labelOf(element)
  const { minor, currency } = amountOf(find(element, 'Amt'), label)
  const isCame = isCredit(element, label)
  const bookedOn = dayOf(element, 'BookgDt', label)
  const transfers = all(element, 'NtryDtls').flatMap((each) => all(each, 'TxDtls'))
  const shares = sharesOf(element, transfers, { minor, currency, isCredit: isCame })
  const name = textAt(element, 'AcctSvcrRef') ?? ''
  const details = (transfer: Element | undefined, side = isCame) =>
    detailsOf(element, transfer, { name, isCredit: side })
  const only = transfers.length === 1 ? transfers[0] : undefined
  const all0 = details(only)
  const ofAll =
    shares === 'contradicts' ? { ...all0, remittance: transfers.flatMap((each) => wordsOf(each)) } : all0
  // A collected entry without an identifier of its own has that of its first transfer.
  const ids = idsIn(element, only ?? (identifier(name) === undefined ? transfers[0] : undefined))
  const reference = nameOfEntry(idsIn(element, transfers[0]), {
    content: contentOf(
      { ...ofAll, remittance: transfers.flatMap((each) => wordsOf(each)) },
      isCame,
      String(minor),
    ),
    bookedOn,
    currency,
  })
  const whole = { entry, reference, currency, bookedOn }
  if (shares === 'none' || shares === 'contradicts')
    return [
      {
        ...whole,
        part: 0,
        isCredit: isCame,
        minor,
        ...ofAll,
        ids,
        ...(shares === 'contradicts' ? { contradicts: true as const } : {}),
        ...(isCame ? {} : ofFileIn(element)),
      },
    ]
  return shares.map(({ transfer, ...share }, at) => ({
    ...whole,
    part: at + 1,
    ...share,
    ...details(transfer, share.isCredit),
  }))
}

function ofFileIn(element: Element): Pick<Movement, 'ofFile'> {
  const batch = find(element, 'NtryDtls/Btch')
  const ids = ['MsgId', 'PmtInfId'].flatMap((name) => identifier(textAt(batch, name)) ?? [])
  return ids.length === 0 ? {} : { ofFile: { ids, count: textAt(batch, 'NbOfTxs') ?? '' } }
}
