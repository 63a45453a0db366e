// What camt says of one transfer: who, with which words and identifiers, and whether it undoes another one.
import { given } from '#/kernel/given.ts'
import { idsIn } from './camt-ids.ts'
import { ibanAt } from './camt-parts.ts'
import { elsewhereOf, wordsOf } from './camt-texts.ts'
import { identifier } from './ids.ts'
import { booleanOf } from './lexical.ts'
import type { Movement } from './movement.ts'
import { find, textAt, type Element } from './xml.ts'

/** The details of a transfer. Without a transfer: what the entry says of all. */
export function detailsOf(
  entry: Element,
  transfer: Element | undefined,
  { name: own, isCredit: isCame }: { readonly name: string; readonly isCredit: boolean },
): Pick<Movement, 'remittance' | 'elsewhere' | 'endToEndId' | 'ids' | 'names' | 'returned' | 'party'> {
  const endToEndId = identifier(textAt(transfer, 'Refs/EndToEndId'))
  const names = ['AcctSvcrRef', 'TxId', 'UETR'].flatMap(
    (name) => identifier(textAt(transfer, `Refs/${name}`)) ?? [],
  )
  const party = partyOf(transfer, isCame)
  const elsewhere = elsewhereOf(entry, transfer)
  return {
    remittance: wordsOf(transfer ?? entry),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    ...given({ endToEndId }),
    ids: idsIn(entry, transfer),
    names: names.filter((name) => name !== own),
    ...(isUndoing(entry, transfer) ? { returned: { reason: reasonOf(transfer) } } : {}),
    ...given({ party }),
  }
}

/** Payment return, and reversal after a recall (external code set of bank transaction codes). */
const undoing = new Set(['RRTN', 'RPCR'])

function isUndoing(entry: Element, transfer: Element | undefined): boolean {
  const codes = [entry, transfer].flatMap((each) => textAt(each, 'BkTxCd/Domn/Fmly/SubFmlyCd') ?? [])
  return (
    find(transfer, 'RtrInf') !== undefined ||
    booleanOf(textAt(entry, 'RvslInd'), 'RvslInd', false) ||
    codes.some((code) => undoing.has(code))
  )
}

function reasonOf(transfer: Element | undefined): string {
  return textAt(find(transfer, 'RtrInf'), 'Rsn/Cd', 'Rsn/Prtry', 'AddtlInf') ?? 'no reason'
}

/**
 * The other side. For a credit: who sent it. For a debit: who gets it, or who had sent the transfer that it undoes, at banks that
 * keep those parties.
 */
function partyOf(transfer: Element | undefined, isCredit: boolean): Movement['party'] {
  const roles = isCredit ? ['Dbtr'] : ['Cdtr', 'Dbtr']
  for (const role of roles) {
    const name = textAt(transfer, `RltdPties/${role}/Pty/Nm`, `RltdPties/${role}/Nm`)
    const iban = ibanAt(transfer, `RltdPties/${role}Acct`)
    if (name !== undefined || iban !== undefined) return { ...given({ name, iban }) }
  }
  return undefined
}
