// Writes a file of payments, pain.001.001.09 of ISO 20022 in the form of SEPA credit transfers (EPC132-08), and reads the bank's
// report about one, pain.002.
import { given } from '#/kernel/given.ts'
import { toDecimal } from '#/kernel/money.ts'
import { inSepaLatin } from '#/rails/kit/latin.ts'
import type { SepaSettings } from './settings.ts'
import { UnreadableFile } from './unreadable.ts'
import { all, find, parseXml, textAt, type Element } from './xml.ts'

export type Payment = {
  /** At most 35 letters and digits: the recipient and the statement see it. */
  readonly reference: string
  readonly minor: bigint
  readonly iban: string
  readonly beneficiary: string
  readonly note: string | null
}

/** EPC132-08: a name has 70 characters, the free text 140. */
const [nameMax, noteMax] = [70, 140]

/** Returns the file. The same input gives the same bytes. */
export function painFile(
  { iban, bic, beneficiary }: SepaSettings,
  {
    messageId,
    at,
    payments,
  }: { readonly messageId: string; readonly at: Date; readonly payments: readonly Payment[] },
): Buffer {
  const sum = euro(payments.reduce((total, { minor }) => total + minor, 0n))
  const created = at.toISOString().slice(0, 19)
  const name = escaped(beneficiary, nameMax)
  const agent = bic === undefined ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : `<BICFI>${bic}</BICFI>`
  // Each payment is debited alone, so that the statement names it.
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${created}</CreDtTm><NbOfTxs>${payments.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum><InitgPty><Nm>${name}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg><NbOfTxs>${payments.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>${created.slice(0, 10)}</Dt></ReqdExctnDt><Dbtr><Nm>${name}</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></DbtrAcct><DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
${payments.map(transferOf).join('\n')}
</PmtInf></CstmrCdtTrfInitn></Document>
`
  return Buffer.from(text)
}

/** No postal address: since November 2026 an unstructured one is refused, and we know no structured one. */
function transferOf({ reference, minor, iban, beneficiary, note }: Payment): string {
  const words = inSepaLatin(note ?? '', noteMax)
  const information = words === '' ? '' : `<RmtInf><Ustrd>${escaped(words, noteMax)}</Ustrd></RmtInf>`
  return `<CdtTrfTxInf><PmtId><EndToEndId>${reference}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${euro(minor)}</InstdAmt></Amt><Cdtr><Nm>${escaped(beneficiary, nameMax)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>${information}</CdtTrfTxInf>`
}

function euro(minor: bigint): string {
  return toDecimal({ minor, currency: 'EUR' })
}

/** A text of which nothing is left is a full stop: the field may not be empty. */
function escaped(text: string, max: number): string {
  const plain = inSepaLatin(text, max)
  return plain === '' ? '.' : plain.replaceAll("'", '&apos;')
}

/** What a bank reports about one of our files. */
export type PaymentReport = {
  /** Such as `pain.002.001.10`. */
  readonly message: string
  /** The file that it is about. */
  readonly messageId: string
  /** Refused for good: the whole file, or these payments. The statement reports everything else. */
  readonly isWhole: boolean
  readonly refused: readonly string[]
  readonly reason: string
  /** What it does not say clearly: nothing is ended by it, and a person asks the bank. */
  readonly doubt?: string
}

/** Whether the file says that it is a pain.002. */
export function isPaymentReport(bytes: Buffer): boolean {
  return /urn:iso:std:iso:20022:tech:xsd:pain\.002\./.test(bytes.subarray(0, 2_000).toString('latin1'))
}

/** Reads a pain.002. Throws UnreadableFile with the reason. */
export function parsePaymentReport(bytes: Buffer): PaymentReport {
  const { name, root } = parseXml(bytes)
  const message = Object.values(root.attributes).flatMap(
    (value) => /^urn:iso:std:iso:20022:tech:xsd:(pain\.002\.001\.(?:0[3-9]|1[0-4]))$/.exec(value)?.[1] ?? [],
  )[0]
  if (name !== 'Document' || message === undefined)
    throw new UnreadableFile('it is no pain.002 of version 03 to 14')
  const report = find(root, 'CstmrPmtStsRpt')
  const messageId = textAt(report, 'OrgnlGrpInfAndSts/OrgnlMsgId')
  if (messageId === undefined) throw new UnreadableFile('it names no file')
  const infos = all(report, 'OrgnlPmtInfAndSts')
  const single = infos.flatMap((each) => all(each, 'TxInfAndSts'))
  const transfers = single.filter((each) => textAt(each, 'TxSts') === 'RJCT')
  const group = find(report, 'OrgnlGrpInfAndSts')
  const wholes = [textAt(group, 'GrpSts'), ...infos.map((each) => textAt(each, 'PmtInfSts'))]
  // If the report has states of single transfers, a refused status of the whole file is not certainly about the others.
  const isWhole = wholes.includes('RJCT') && single.length === 0
  const doubt = doubtOf(wholes, single)
  const refused = transfers.flatMap((each) => textAt(each, 'OrgnlEndToEndId') ?? [])
  return {
    message,
    messageId,
    isWhole,
    refused,
    reason: reasonOf([...transfers, ...infos, ...(group ? [group] : [])]),
    ...given({ doubt }),
  }
}

/** CANC: somebody canceled it at the bank, or asked for that; whether the money left before, the report does not say. */
function doubtOf(wholes: readonly (string | undefined)[], single: readonly Element[]): string | undefined {
  const canceled = single.filter((each) => textAt(each, 'TxSts') === 'CANC')
  if (wholes.includes('CANC')) return 'it says that the file was canceled (CANC)'
  if (canceled.length > 0) {
    const names = canceled.flatMap((each) => textAt(each, 'OrgnlEndToEndId') ?? []).slice(0, 5)
    return `it says that payments were canceled (CANC): ${names.join(', ')}`
  }
  return wholes.includes('RJCT') && single.length > 0
    ? 'it refuses the whole file, and tells of single payments: what became of the others is not clear'
    : undefined
}

function reasonOf(elements: readonly Element[]): string {
  for (const each of elements) {
    const reason = textAt(each, 'StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry')
    if (reason !== undefined) return reason.slice(0, 35)
  }
  return 'NARR'
}
