// The texts of a transfer in which a payer, or a bank, may put a reference. Banks disagree where it belongs, so all of these parts are
// read; whether a text holds a reference of ours is decided by its check digits alone (reference.ts).
import { all, textAt, type Element } from './xml.ts'

/** What the payer wrote: the structured reference first, then the free text, then what the bank adds. */
export function wordsOf(element: Element): readonly string[] {
  const information = all(element, 'RmtInf')
  const structured = structuredOf(element).flatMap((each) => textAt(each, 'CdtrRefInf/Ref') ?? [])
  const free = information.flatMap((each) => all(each, 'Ustrd'))
  const added = ['AddtlTxInf', 'AddtlNtryInf'].flatMap((name) => textAt(element, name) ?? [])
  return [...structured, joined(free), ...added].filter((each) => each !== '')
}

/**
 * The other texts of it, for a reference that stands in none of those: the documents that are paid, further remittance, the name that
 * the sender gave the transfer at his own bank, and what the entry says of its only transfer. Apart, because what the payer wrote is
 * kept and compared as it was read ever since.
 */
export function elsewhereOf(entry: Element, transfer: Element | undefined): readonly string[] {
  const structured = structuredOf(transfer ?? entry)
  const documents = structured
    .flatMap((each) => all(each, 'RfrdDocInf'))
    .flatMap((each) => textAt(each, 'Nb') ?? [])
  const further = joined(structured.flatMap((each) => all(each, 'AddtlRmtInf')))
  const instruction = textAt(transfer, 'Refs/InstrId')
  const texts = [
    ...documents,
    further,
    instruction === 'NOTPROVIDED' ? '' : (instruction ?? ''),
    transfer !== undefined && isOnly(entry) ? (textAt(entry, 'AddtlNtryInf') ?? '') : '',
  ]
  return texts.filter((each) => each !== '')
}

function structuredOf(element: Element): readonly Element[] {
  return all(element, 'RmtInf').flatMap((each) => all(each, 'Strd'))
}

/** A long text is cut into lines of 140 characters at any place, so they are joined again. */
function joined(lines: readonly Element[]): string {
  return lines.map(({ text }) => text).join('')
}

/** The text of a collected entry is about all its transfers, and so a sign of none of them. */
function isOnly(entry: Element): boolean {
  return all(entry, 'NtryDtls').reduce((count, each) => count + all(each, 'TxDtls').length, 0) === 1
}
