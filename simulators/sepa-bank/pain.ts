// Reads a file of payments (pain.001.001.09, in the form of EPC132-08) by the bank's own rules, and writes its report (pain.002.001.10).
import { XMLParser } from 'fast-xml-parser'
import { iso } from '../kit/clock.ts'
import { asFields, type Fields } from '../kit/fields.ts'
import { escaped } from './camt.ts'
import { isIban } from './iban.ts'

export type Instruction = {
  readonly endToEndId: string
  readonly cents: bigint
  readonly iban: string
  readonly name: string
}

/** A file that was read, or why all of it is refused (ISO 20022, external status reasons). */
export type Read =
  | { readonly messageId: string; readonly instructions: readonly Instruction[] }
  | { readonly messageId: string; readonly refusal: Refused }

export type Refused = { readonly code: string; readonly words: string }

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
const lists = new Set(['PmtInf', 'CdtTrfTxInf', 'AdrLine'])
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (name) => lists.has(name),
})

/** Reads a file for this account. `undefined`: it is no file of payments at all. */
export function readPayments(text: string, account: string): Read | undefined {
  const document = parse(text)
  const body = at(document, 'CstmrCdtTrfInitn')
  const messageId = textAt(body, 'GrpHdr', 'MsgId')
  if (document?.['@xmlns'] !== namespace || messageId === undefined || !isName(messageId)) return undefined
  const refused = (code: string, words: string): Read => ({ messageId, refusal: { code, words } })
  const parts = listAt(body, 'PmtInf')
  const orders = parts.flatMap((part) => listAt(part, 'CdtTrfTxInf'))
  if (orders.length === 0) return refused('FF01', 'It has no payment')
  const instructions = orders.map(instructionOf)
  const read = instructions.filter((each) => each !== undefined)
  if (read.length < orders.length) return refused('FF01', 'A payment lacks what it needs')
  if (!parts.every((part) => isOurs(part, account))) return refused('AC01', 'It debits another account')
  if (!adds(at(body, 'GrpHdr'), read) || !parts.every((part) => adds(part, readOf(part))))
    return refused('AM10', 'Its sums do not fit its payments')
  const names = new Set(read.map(({ endToEndId }) => endToEndId))
  if (names.size < read.length) return refused('AM05', 'It has an EndToEndId twice')
  return { messageId, instructions: read }
}

function readOf(part: Fields): readonly Instruction[] {
  return listAt(part, 'CdtTrfTxInf').flatMap((each) => instructionOf(each) ?? [])
}

function isOurs(part: Fields, account: string): boolean {
  return (
    textAt(part, 'PmtMtd') === 'TRF' &&
    textAt(part, 'DbtrAcct', 'Id', 'IBAN') === account &&
    at(part, 'DbtrAgt', 'FinInstnId') !== undefined &&
    textAt(part, 'PmtTpInf', 'SvcLvl', 'Cd') === 'SEPA' &&
    textAt(part, 'ChrgBr') === 'SLEV' &&
    /^\d{4}-\d{2}-\d{2}$/.test(textAt(part, 'ReqdExctnDt', 'Dt') ?? '')
  )
}

function adds(head: Fields | undefined, orders: readonly Instruction[]): boolean {
  const sum = orders.reduce((total, { cents }) => total + cents, 0n)
  return textAt(head, 'NbOfTxs') === `${orders.length}` && centsIn(textAt(head, 'CtrlSum')) === sum
}

/** The creditor's IBAN is checked for each payment, so it is not checked here. */
function instructionOf(order: Fields): Instruction | undefined {
  const endToEndId = textAt(order, 'PmtId', 'EndToEndId')
  const amount = asFields(at(order, 'Amt', 'InstdAmt'))
  const cents = centsIn(asText(amount?.['#text']))
  const iban = textAt(order, 'CdtrAcct', 'Id', 'IBAN')
  const name = textAt(order, 'Cdtr', 'Nm')
  const isComplete =
    endToEndId !== undefined && isName(endToEndId) && name !== undefined && /^[ -~]{1,90}$/.test(name)
  const isEuro = amount?.['@Ccy'] === 'EUR' && cents !== undefined && cents > 0n
  // Since November 2026 an address without structure is refused.
  const hasLines = listAt(at(order, 'Cdtr', 'PstlAdr'), 'AdrLine').length > 0
  if (!isComplete || !isEuro || iban === undefined || hasLines) return undefined
  return { endToEndId, cents, iban, name }
}

/** Why this payment cannot be carried out. */
export function refusalOf({ iban, cents }: Instruction, balance: bigint): Refused | undefined {
  if (!isIban(iban)) return { code: 'AC01', words: 'The IBAN is wrong' }
  return cents > balance ? { code: 'AM04', words: 'The account has too little money' } : undefined
}

/** The report about a file. `whole`: of all of it; otherwise these payments are refused. */
export function paymentReport(of: {
  readonly id: string
  readonly at: number
  readonly messageId: string
  readonly whole?: Refused
  readonly refused?: ReadonlyMap<string, Refused>
}): string {
  const { id, messageId, whole, refused = new Map<string, Refused>() } = of
  const status = whole === undefined ? (refused.size === 0 ? 'ACTC' : 'PART') : 'RJCT'
  const transfers = [...refused].map(
    ([endToEndId, why]) =>
      `<TxInfAndSts><OrgnlEndToEndId>${escaped(endToEndId)}</OrgnlEndToEndId><TxSts>RJCT</TxSts>${reasonOf(why)}</TxInfAndSts>`,
  )
  const part = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${escaped(messageId)}</OrgnlPmtInfId>${transfers.join('')}</OrgnlPmtInfAndSts>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>${id}</MsgId><CreDtTm>${iso(of.at)}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${escaped(messageId)}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>${status}</GrpSts>${whole === undefined ? '' : reasonOf(whole)}</OrgnlGrpInfAndSts>
${transfers.length === 0 ? '' : part}</CstmrPmtStsRpt></Document>
`
}

function reasonOf({ code, words }: Refused): string {
  return `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn><AddtlInf>${escaped(words)}</AddtlInf></StsRsnInf>`
}

function parse(text: string): Fields | undefined {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined
  try {
    return asFields((parser.parse(text, true) as Fields)['Document'])
  } catch {
    return undefined
  }
}

function at(fields: Fields | undefined, ...path: readonly string[]): Fields | undefined {
  return path.reduce<Fields | undefined>((found, name) => asFields(found?.[name]), fields)
}

function textAt(fields: Fields | undefined, ...path: readonly string[]): string | undefined {
  return asText(at(fields, ...path.slice(0, -1))?.[path.at(-1) ?? ''])
}

function listAt(fields: Fields | undefined, name: string): readonly Fields[] {
  const found: unknown = fields?.[name]
  const all: readonly unknown[] = Array.isArray(found) ? found : []
  return all.map(asFields).filter((each) => each !== undefined)
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Names in files: 1 to 35 of the characters that every bank takes, no slash at either end. */
function isName(text: string): boolean {
  return /^(?!\/)[A-Za-z0-9/\-?:().,'+ ]{1,35}(?<!\/)$/.test(text)
}

function centsIn(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,12}\.\d{2}$/.test(text) ? BigInt(text.replace('.', '')) : undefined
}
