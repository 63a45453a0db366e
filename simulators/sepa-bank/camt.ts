// Writes camt.053 and camt.054, versions 02 and 08 (message definitions of ISO 20022).
import { iso } from '../kit/clock.ts'
import { dayOf, euro, type Account, type Entry, type Version } from './bank.ts'

export type Report = {
  readonly id: string
  readonly at: number
  readonly account: Account
  readonly entries: readonly Entry[]
}

/** A notification of these entries. */
export function notification(report: Report): string {
  const { account, entries } = report
  const body = entries.map((each) => entryOf(each, account.version)).join('')
  return documentOf(`camt.054.001.${account.version}`, 'BkToCstmrDbtCdtNtfctn', report, [
    'Ntfctn',
    headOf(report) + body,
  ])
}

/** A statement of one day. What it opens with and its entries are what it closes with. */
export function statement(report: Report & { readonly day: string; readonly opening: bigint }): string {
  const { account, entries, day, opening } = report
  const closing = entries.reduce((sum, each) => sum + signed(each), opening)
  const balances = balanceOf('OPBD', opening, day) + balanceOf('CLBD', closing, day)
  const body = balances + entries.map((each) => entryOf(each, account.version)).join('')
  return documentOf(`camt.053.001.${account.version}`, 'BkToCstmrStmt', report, [
    'Stmt',
    headOf(report) + body,
  ])
}

export function signed({ isCredit, cents }: Pick<Entry, 'isCredit' | 'cents'>): bigint {
  return isCredit ? BigInt(cents) : -BigInt(cents)
}

function headOf({ id, at, account }: Report): string {
  const created = `<Id>${id}</Id><CreDtTm>${iso(at)}</CreDtTm>`
  return `${created}<Acct><Id><IBAN>${account.iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>\n`
}

function documentOf(
  message: string,
  outer: string,
  { id, at }: Report,
  [inner, body]: readonly [string, string],
): string {
  const head = `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${iso(at)}</CreDtTm></GrpHdr>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}"><${outer}>${head}
<${inner}>${body}</${inner}></${outer}></Document>
`
}

function balanceOf(code: string, cents: bigint, day: string): string {
  const type = `<Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>`
  const side = cents < 0n ? 'DBIT' : 'CRDT'
  return `<Bal>${type}<Amt Ccy="EUR">${euro(cents)}</Amt><CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`
}

function entryOf(entry: Entry, version: Version): string {
  const { isCredit, cents, day, reference, returned, recalls } = entry
  const amount = `<Amt Ccy="EUR">${euro(BigInt(cents))}</Amt>`
  const side = `<CdtDbtInd>${isCredit ? 'CRDT' : 'DBIT'}</CdtDbtInd>`
  const status = version === '02' ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>'
  const kind = recalls !== undefined ? 'RPCR' : returned === undefined ? 'ESCT' : 'RRTN'
  const family = (isCredit && returned === undefined) || recalls !== undefined ? 'RCDT' : 'ICDT'
  const code = `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${kind}</SubFmlyCd></Fmly></Domn></BkTxCd>`
  const dates = `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`
  const details = version === '02' ? `<AmtDtls><TxAmt>${amount}</TxAmt></AmtDtls>` : amount + side
  return `<Ntry>${amount}${side}${status}${dates}<AcctSvcrRef>${reference}</AcctSvcrRef>${code}<NtryDtls><TxDtls>${detailsOf(entry, details, version)}</TxDtls></NtryDtls></Ntry>\n`
}

function detailsOf(entry: Entry, amount: string, version: Version): string {
  const { isCredit, partyName, partyIban, structured, text, endToEndId, txId, returned } = entry
  const transfer = txId === undefined ? '' : `<TxId>${escaped(txId)}</TxId>`
  const refs = `<Refs><EndToEndId>${escaped(endToEndId ?? 'NOTPROVIDED')}</EndToEndId>${transfer}</Refs>`
  const party = isCredit && returned === undefined ? 'Dbtr' : 'Cdtr'
  const name = `<Nm>${escaped(partyName)}</Nm>`
  const named = version === '02' ? name : `<Pty>${name}</Pty>`
  const account =
    partyIban === undefined ? '' : `<${party}Acct><Id><IBAN>${partyIban}</IBAN></Id></${party}Acct>`
  const free = text === undefined ? '' : `<Ustrd>${escaped(text)}</Ustrd>`
  const quoted =
    structured === undefined
      ? ''
      : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${escaped(structured)}</Ref></CdtrRefInf></Strd>`
  const words = free + quoted === '' ? '' : `<RmtInf>${free}${quoted}</RmtInf>`
  const reason = returned === undefined ? '' : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`
  return `${refs}${amount}<RltdPties><${party}>${named}</${party}>${account}</RltdPties>${words}${reason}`
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The day and number of a statement, in its name. */
export function statementId({ iban, statements }: Account, at: number): string {
  return `${iban.slice(-8)}-${statements + 1}-${dayOf(at).replaceAll('-', '')}`
}
