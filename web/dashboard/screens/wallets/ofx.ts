// A statement as OFX 2.2, which accounting programs import: https://financialdataexchange.org/ofx
import { toDecimal, type Currency } from '#/kernel/money.ts'
import type { StatementEntry, Wallet } from '../../api/generated.ts'

/** The file's currency must be a currency of ISO 4217, and USDT is not. */
export function hasOfx({ currency }: Pick<Wallet, 'currency'>): boolean {
  return currency !== 'USDT'
}

export type OfxStatement = {
  readonly wallet: Pick<Wallet, 'id' | 'currency'>
  /** Newest first, as the statement lists them; at least one. */
  readonly entries: readonly StatementEntry[]
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** How a kind of movement is called. */
  readonly nameOf: (kind: StatementEntry['kind']) => string
  /** When the file is written. */
  readonly at: string
}

/** The file. Its closing balance is that of the newest entry. */
export function ofxOf({ wallet, entries, from, to, nameOf, at }: OfxStatement): string {
  const newest = entries[0]
  const oldest = entries.at(-1)
  if (newest === undefined || oldest === undefined) throw new Error('an OFX file has at least one entry')
  const { currency } = wallet
  const ok = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>'
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
    '<OFX>',
    `<SIGNONMSGSRSV1><SONRS>${ok}<DTSERVER>${stamp(at)}</DTSERVER><LANGUAGE>ENG</LANGUAGE><FI><ORG>Vintem</ORG></FI></SONRS></SIGNONMSGSRSV1>`,
    `<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>${ok}<STMTRS><CURDEF>${currency}</CURDEF>`,
    // An account id has at most 22 characters: these are the random end of the wallet's id.
    `<BANKACCTFROM><BANKID>VINTEM</BANKID><ACCTID>${wallet.id.replaceAll('-', '').slice(-22)}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`,
    `<BANKTRANLIST><DTSTART>${stamp(from ?? oldest.postedAt)}</DTSTART><DTEND>${stamp(to ?? at)}</DTEND>`,
    ...entries.map((entry) => transactionOf(entry, currency, nameOf(entry.kind))),
    '</BANKTRANLIST>',
    `<LEDGERBAL><BALAMT>${decimalOf(newest.balance, currency)}</BALAMT><DTASOF>${stamp(newest.postedAt)}</DTASOF></LEDGERBAL>`,
    '</STMTRS></STMTTRNRS></BANKMSGSRSV1>',
    '</OFX>',
    '',
  ].join('\r\n')
}

function transactionOf(entry: StatementEntry, currency: Currency, name: string): string {
  const { id, kind, amount, postedAt, description } = entry
  const type =
    kind === 'FEE' ? 'FEE' : kind === 'TRANSFER' ? 'XFER' : BigInt(amount) > 0n ? 'CREDIT' : 'DEBIT'
  const subject =
    entry.refundId ?? entry.disputeId ?? entry.withdrawalId ?? entry.transferId ?? entry.paymentId
  const memo = kind === 'TRANSFER' ? description : (subject ?? description)
  return (
    `<STMTTRN><TRNTYPE>${type}</TRNTYPE><DTPOSTED>${stamp(postedAt)}</DTPOSTED><TRNAMT>${decimalOf(amount, currency)}</TRNAMT>` +
    `<FITID>${id}</FITID><NAME>${escaped(name.slice(0, 32))}</NAME><MEMO>${escaped(memo.slice(0, 255))}</MEMO></STMTTRN>`
  )
}

function decimalOf(minor: number | bigint, currency: Currency): string {
  return toDecimal({ minor: BigInt(minor), currency })
}

/** `20261121020304.567[0:GMT]` */
function stamp(at: string): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  return `${date.replaceAll('-', '')}${time.slice(0, 12).replaceAll(':', '')}[0:GMT]`
}

/** Text as XML. Control characters cannot be written in XML at all. */
function escaped(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  )
}
