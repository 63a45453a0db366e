// Files of a bank for tests, in both versions, written from the message definitions of ISO 20022 and not by any code of ours.

export type Transfer = {
  readonly ref: string
  readonly minor: number
  /** Money that left. */
  readonly isDebit?: boolean
  readonly day?: string
  /** Free text of the payer, or the structured reference. */
  readonly text?: string
  readonly structured?: string
  readonly endToEndId?: string
  readonly returned?: string
  /** The name of the transfer between banks. */
  readonly txId?: string
  /** The bank's own name of it among the details. */
  readonly detail?: string
  /** The bank undoes an entry of its own (RvslInd). */
  readonly isReversal?: boolean
  /** The account of the sender. Default: the bank does not say. */
  readonly from?: string | undefined
  /** The name of the other side, as XML. Default: Ana & Rui. */
  readonly name?: string
  /** The bank's own sort of reference, and the identifier that goes with a transfer from bank to bank. */
  readonly own?: string
  readonly uetr?: string
  /** What stands in NtryDtls instead of the one transfer, as XML. */
  readonly details?: string
  /** What stands before NtryDtls, as XML. */
  readonly charges?: string
}

export type Statement = {
  readonly iban: string
  readonly id: string
  readonly opening: number
  /** Default: what the transfers lead to. */
  readonly closing?: number
  readonly day?: string
  readonly version?: '02' | '08'
  readonly transfers: readonly Transfer[]
}

const today = () => new Date().toISOString().slice(0, 10)
const euro = (minor: number) => (Math.abs(minor) / 100).toFixed(2)
const side = (minor: number) => (minor < 0 ? 'DBIT' : 'CRDT')

function entry({ ref, minor, isDebit, day = today(), ...said }: Transfer, version: string): string {
  const { text, structured, endToEndId, returned, txId, detail, isReversal, from } = said
  const { name = 'Ana &amp; Rui', own, uetr, details: given, charges = '' } = said
  const sender = from === undefined ? '' : `<DbtrAcct><Id><IBAN>${from}</IBAN></Id></DbtrAcct>`
  const details = [
    `<Refs>${detail === undefined ? '' : `<AcctSvcrRef>${detail}</AcctSvcrRef>`}<EndToEndId>${endToEndId ?? 'NOTPROVIDED'}</EndToEndId>${txId === undefined ? '' : `<TxId>${txId}</TxId>`}${uetr === undefined ? '' : `<UETR>${uetr}</UETR>`}${own === undefined ? '' : `<Prtry><Tp>OWN</Tp><Ref>${own}</Ref></Prtry>`}</Refs>`,
    version === '02'
      ? `<RltdPties><Dbtr><Nm>${name}</Nm></Dbtr>${sender}</RltdPties>`
      : `<Amt Ccy="EUR">${euro(minor)}</Amt><RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr>${sender}</RltdPties>`,
    structured === undefined && text === undefined
      ? ''
      : `<RmtInf>${text === undefined ? '' : `<Ustrd>${text}</Ustrd>`}${
          structured === undefined
            ? ''
            : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${structured}</Ref></CdtrRefInf></Strd>`
        }</RmtInf>`,
    returned === undefined ? '' : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`,
  ]
  return `<Ntry><Amt Ccy="EUR">${euro(minor)}</Amt><CdtDbtInd>${isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd>${isReversal ? '<RvslInd>true</RvslInd>' : ''}
    ${version === '02' ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>'}
    <BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>${ref === '' ? '' : `<AcctSvcrRef>${ref}</AcctSvcrRef>`}
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
    ${charges}<NtryDtls>${given ?? `<TxDtls>${details.join('')}</TxDtls>`}</NtryDtls></Ntry>`
}

function balance(code: string, minor: number, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euro(minor)}</Amt>
    <CdtDbtInd>${side(minor)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
}

function documentOf(message: string, outer: string, body: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}"><${outer}>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>${today()}T08:00:00Z</CreDtTm></GrpHdr>${body}
</${outer}></Document>`)
}

/** A camt.053. */
export function statementFile({ iban, id, opening, version = '02', transfers, ...more }: Statement): Buffer {
  const { day = today() } = more
  const sum = transfers.reduce((total, { minor, isDebit }) => total + (isDebit ? -minor : minor), opening)
  const body = `<Stmt><Id>${id}</Id><CreDtTm>${day}T20:00:00Z</CreDtTm>
    <Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
    ${balance('OPBD', opening, day)}${balance('CLBD', more.closing ?? sum, day)}
    ${transfers.map((each) => entry(each, version)).join('')}</Stmt>`
  return documentOf(`camt.053.001.${version}`, 'BkToCstmrStmt', body)
}

/** A camt.054. */
export function notificationFile({
  iban,
  id,
  version = '08',
  transfers,
}: Omit<Statement, 'opening'>): Buffer {
  const body = `<Ntfctn><Id>${id}</Id><CreDtTm>${today()}T10:00:00Z</CreDtTm>
    <Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
    ${transfers.map((each) => entry(each, version)).join('')}</Ntfctn>`
  return documentOf(`camt.054.001.${version}`, 'BkToCstmrDbtCdtNtfctn', body)
}

/** A pain.002 about a file of payments. */
export function reportFile({
  messageId,
  whole,
  rejected = [],
}: {
  readonly messageId: string
  readonly whole?: 'RJCT' | 'ACTC'
  readonly rejected?: readonly { readonly reference: string; readonly reason: string }[]
}): Buffer {
  const transfers = rejected.map(
    ({ reference, reason }) =>
      `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>RJCT</TxSts>
       <StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts>`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
  <GrpHdr><MsgId>R1</MsgId><CreDtTm>${today()}T09:00:00Z</CreDtTm></GrpHdr>
  <OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
    <GrpSts>${whole ?? 'PART'}</GrpSts></OrgnlGrpInfAndSts>
  <OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${transfers.join('')}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`)
}
