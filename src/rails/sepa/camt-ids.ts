// What a bank identifies an entry and its transfers by, and the name that an entry gets.
import { given } from '#/kernel/given.ts'
import { contentName, entryName, identifier, type EntryIds } from './ids.ts'
import { textAt, type Element } from './xml.ts'

/** The identifiers of a transfer. Not NtryRef: that is only a number within one statement, so two entries can have it. */
export function idsIn(entry: Element, transfer: Element | undefined): EntryIds {
  const at = (element: Element | undefined, path: string) => identifier(textAt(element, path))
  const [ofTransfer, ofEntry, own, txId, uetr] = [
    at(transfer, 'Refs/AcctSvcrRef'),
    at(entry, 'AcctSvcrRef'),
    at(transfer, 'Refs/Prtry/Ref'),
    at(transfer, 'Refs/TxId'),
    at(transfer, 'Refs/UETR'),
  ]
  return {
    ...given({ transfer: ofTransfer, entry: ofEntry, own, txId }),
    ...(uetr === undefined ? {} : { uetr: uetr.toLowerCase() }),
  }
}

/** The name of an entry: its first identifier, else one of what the file says of it. `first`: the identifiers of its first transfer. */
export function nameOfEntry(
  { transfer, entry, own, txId, uetr }: EntryIds,
  {
    content,
    bookedOn,
    currency,
  }: { readonly content: readonly string[]; readonly bookedOn: string; readonly currency: string },
): string {
  return entryName(entry ?? transfer ?? own ?? txId ?? uetr ?? contentName(content, bookedOn), currency)
}
