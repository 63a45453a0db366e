// A journal as a reader of it finds it, in the signer's folder or in a private copy. It reads and writes nothing else.
import { dirname, join } from 'node:path'
import { readCall } from './calls.ts'
import { JournalError, readJournal, readMarkFile } from './journal-lines.ts'
import { journalKeyPath, openJournalKey, type Keystore } from './keys.ts'
import { readPrivateFile, readSecretFile } from './private-files.ts'
import { signerFiles } from './serve.ts'
import type { Address } from './shape.ts'
import { SignerStartError } from './start-error.ts'
import { isCancel, type Fees } from './transaction.ts'

/** A transaction that was, or may have been, signed. */
export type JournalLine = {
  readonly at: Date
  readonly key: Address
  readonly chainId: bigint
  readonly nonce: bigint
  readonly reference: string
  readonly gas: bigint
  readonly fees: Fees
  /** The transfer of a token that it makes, where it is one. */
  readonly pays: { readonly to: Address; readonly units: bigint } | undefined
  /** It moves nothing: it takes the nonce of another transaction, or fills a gap. */
  readonly isCancel: boolean
}

export type JournalCopy = {
  readonly path: string
  readonly lines: readonly JournalLine[]
  /** Bytes of an incomplete last line, which was never answered. */
  readonly cut: number
}

/**
 * Reads the journal at `path`, and makes sure that it is as the signer wrote it: its mark, the file of its key and the passphrase
 * lie beside it as in the signer's folder. The signer may run meanwhile. Throws SignerStartError where one is missing, or the
 * journal differs from what was written.
 */
export function readJournalCopy(path: string): JournalCopy {
  const folder = dirname(path)
  const files = signerFiles(folder)
  const store: Keystore = { folder: files.keys, passphrase: readSecretFile(files.passphraseFile) }
  try {
    const key = openJournalKey(store)
    if (key === undefined) throw refusal(`${journalKeyPath(store.folder)} is missing`)
    try {
      // The mark first: a running signer adds lines behind it.
      const marked = readMarkFile(readPrivateFile(join(folder, 'journal.mark')), key)
      if (marked === undefined) throw refusal(`The mark of ${path} is not as it was written`)
      const bytes = readPrivateFile(path)
      const { entries, length } = readJournal(bytes, marked.place, key)
      return { path, cut: bytes.length - length, lines: entries.map(toLine) }
    } catch (error) {
      if (error instanceof JournalError) throw refusal(`${path}: ${error.message}`)
      throw error
    } finally {
      key.fill(0)
    }
  } finally {
    store.passphrase.fill(0)
  }
}

function toLine({ at, tx }: ReturnType<typeof readJournal>['entries'][number]): JournalLine {
  const call = readCall(tx.data)
  const { key, chainId, nonce, reference, gas, fees } = tx
  return {
    at: new Date(at),
    key,
    chainId,
    nonce,
    reference,
    gas,
    fees,
    pays: call?.call === 'transfer' ? { to: call.to, units: call.amount } : undefined,
    isCancel: isCancel(tx),
  }
}

function refusal(message: string): SignerStartError {
  return new SignerStartError(
    `${message}.`,
    'Nothing was compared. Give the journal in its folder, or a copy of all its files: docs/signer.md.',
  )
}
