// The keystore: one file for each key in a private folder, encrypted under a passphrase. Decrypted keys live in buffers of
// this process, which are wiped at the end.
import { randomBytes, scryptSync } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { must } from '#/kernel/check.ts'
import { parseAddress } from '#/kernel/evm-address.ts'
import { seal, unseal } from '#/kernel/secret.ts'
import type { Clock } from '#/kernel/time.ts'
import { preparePrivateFolder, readPrivateFile, writePrivateFile } from './private-files.ts'
import { address, choice, integer, object, readJson, ShapeError, textLike, type Address } from './shape.ts'
import { SignerStartError } from './start-error.ts'

/** What a key is for: paying out, holding collected coins, or paying for the collection. */
export const purposes = ['hot', 'treasury', 'gas'] as const
export type Purpose = (typeof purposes)[number]

export type KeyFacts = { readonly address: Address; readonly purpose: Purpose; readonly createdAt: string }

/** A folder of encrypted keys, with the passphrase that decrypts them. The caller owns the passphrase and wipes it. */
export type Keystore = {
  readonly folder: string
  readonly passphrase: Buffer
  /** The cost of one guess of the passphrase; for new keystores. A power of two. */
  readonly scryptN?: number
}

export type OpenKeys = {
  readonly facts: readonly KeyFacts[]
  /** Runs `use` with the 32 bytes of a key. `use` must not keep them. */
  withSecret<Result>(address: Address, use: (secret: Buffer) => Result): Result
  /** Overwrites every key. Nothing can be signed afterwards. */
  close(): void
}

/** Makes a new key. Returns its address. */
export function createKey(store: Keystore, purpose: Purpose, clock: Clock): KeyFacts {
  for (;;) {
    const secret = randomBytes(32)
    try {
      // One in 2^128 is no key of the curve.
      if (addressOf(secret) !== undefined) return importKey(store, purpose, secret, clock)
    } finally {
      secret.fill(0)
    }
  }
}

/** Imports an existing key: 32 bytes, which the caller wipes. Throws SignerStartError when they are no key. */
export function importKey(store: Keystore, purpose: Purpose, secret: Buffer, clock: Clock): KeyFacts {
  const address = secret.length === 32 ? addressOf(secret) : undefined
  if (address === undefined) throw new SignerStartError('This is no private key.', 'Give 32 bytes.')
  preparePrivateFolder(store.folder)
  const facts = { address, purpose, createdAt: clock.now().toISOString() }
  const sealed = sealSecret(store, placeOf(facts), secret)
  const text = `${JSON.stringify({ version: 1, ...facts, ...sealed }, null, 2)}\n`
  if (!writePrivateFile(pathOf(store.folder, address), text, { replace: false }))
    throw new SignerStartError(`The key of ${address} is already there.`, 'Nothing was changed.')
  return facts
}

/** The keys of a folder, without decrypting any. */
export function listKeys(folder: string): readonly KeyFacts[] {
  return readFiles(folder).map(({ address, purpose, createdAt }) => ({ address, purpose, createdAt }))
}

/** Decrypts the keys of these addresses. Throws SignerStartError when one is missing, or the passphrase is another. */
export function openKeys(store: Keystore, addresses: readonly Address[]): OpenKeys {
  const files = readFiles(store.folder)
  const secrets = new Map<Address, Buffer>()
  const facts: KeyFacts[] = []
  const close = () => {
    for (const secret of secrets.values()) secret.fill(0)
    secrets.clear()
  }
  try {
    for (const address of addresses) {
      const file = files.find((each) => each.address === address)
      if (file === undefined)
        throw new SignerStartError(`There is no key of ${address} in ${store.folder}.`, 'Restore its file.')
      const secret = openFile(store, file)
      secrets.set(address, secret)
      if (addressOf(secret) !== address) throw unopened(pathOf(store.folder, address))
      facts.push({ address, purpose: file.purpose, createdAt: file.createdAt })
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    facts,
    withSecret: (address, use) => use(must(secrets.get(address), 'the key is open')),
    close,
  }
}

/**
 * Encrypts everything in the folder under another passphrase. After a failure half way, a call with the same two passphrases
 * completes the work.
 */
export function changePassphrase(store: Keystore, next: Buffer): void {
  const after: Keystore = { ...store, passphrase: next }
  for (const file of readFiles(store.folder)) {
    if (opens(after, file)) continue
    const secret = openFile(store, file)
    try {
      const { address, purpose, createdAt } = file
      const sealed = sealSecret(after, placeOf(file), secret)
      const text = `${JSON.stringify({ version: 1, address, purpose, createdAt, ...sealed }, null, 2)}\n`
      writePrivateFile(pathOf(store.folder, address), text, { replace: true })
    } finally {
      secret.fill(0)
    }
  }
  rekeyJournal(store, after)
}

/** The key of the journal's hash chain, or undefined where there is none yet. */
export function openJournalKey(store: Keystore): Buffer | undefined {
  const path = journalKeyPath(store.folder)
  if (!existsSync(path)) return undefined
  const sealed = readFile(path, readJournalKeyFile)
  return openSealed(store, sealed, journalPlace, path)
}

/** Stores the key of a new journal. */
export function storeJournalKey(store: Keystore, key: Buffer, options = { replace: false }): void {
  preparePrivateFolder(store.folder)
  const text = `${JSON.stringify({ version: 1, ...sealSecret(store, journalPlace, key) }, null, 2)}\n`
  const isWritten = writePrivateFile(journalKeyPath(store.folder), text, options)
  must(isWritten || undefined, 'a journal gets its key once')
}

export function journalKeyPath(folder: string): string {
  return join(folder, 'journal.json')
}

const scryptNDefault = 2 ** 15
/** Enough for passphrases that are random. */
export const scryptNLeast = 2 ** 10
const journalPlace = 'vintem.signer.journal'

const sealedFields = {
  version: integer(1, 1),
  kdf: object({
    name: choice('scrypt'),
    // Limits, so that a changed file cannot exhaust the memory.
    N: integer(scryptNLeast, 2 ** 20),
    r: integer(1, 16),
    p: integer(1, 16),
    salt: textLike(/^[0-9a-f]{64}$/, '64 hexadecimal digits'),
  }),
  sealed: textLike(/^[A-Za-z0-9+/=]{1,400}$/, 'base64'),
}
const readJournalKeyFile = object(sealedFields)
const readKeyFile = object({
  address,
  purpose: choice(...purposes),
  createdAt: textLike(/^[0-9T:.Z-]{20,30}$/, 'an instant'),
  ...sealedFields,
})

type Sealed = Pick<ReturnType<typeof readJournalKeyFile>, 'kdf' | 'sealed'>
type KeyFile = ReturnType<typeof readKeyFile>

function readFiles(folder: string): readonly KeyFile[] {
  if (!existsSync(folder)) return []
  preparePrivateFolder(folder)
  const names = readdirSync(folder).filter((name) => isKeyFile(name))
  return names.sort().map((name) => {
    const path = join(folder, name)
    const file = readFile(path, readKeyFile)
    if (`${file.address}.json` === name) return file
    throw new SignerStartError(`${path} holds the key of another address.`, 'Restore it from a backup.')
  })
}

/** The address in lower case, and `.json`. */
function isKeyFile(name: string): boolean {
  const address = name.slice(0, -'.json'.length)
  return name === `${address}.json` && parseAddress(address) === address
}

function readFile<Value>(path: string, read: (value: unknown, at: string) => Value): Value {
  try {
    return readJson(readPrivateFile(path).toString(), read, path)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new SignerStartError(`${error.message}.`, 'Restore it from a backup.')
  }
}

function openFile(store: Keystore, file: KeyFile): Buffer {
  return openSealed(store, file, placeOf(file), pathOf(store.folder, file.address))
}

function opens(store: Keystore, file: KeyFile): boolean {
  try {
    openFile(store, file).fill(0)
    return true
  } catch {
    return false
  }
}

function rekeyJournal(store: Keystore, after: Keystore): void {
  try {
    openJournalKey(after)?.fill(0)
  } catch {
    const key = must(openJournalKey(store), 'there is a journal key')
    storeJournalKey(after, key, { replace: true })
    key.fill(0)
  }
}

/** The purpose is part of the encryption's context: a file whose purpose was edited does not decrypt. */
function placeOf({ address, purpose }: Pick<KeyFacts, 'address' | 'purpose'>): string {
  return `vintem.signer.key/${address}/${purpose}`
}

function sealSecret(store: Keystore, place: string, secret: Buffer): Sealed {
  const salt = randomBytes(32).toString('hex')
  const kdf = { name: 'scrypt', N: store.scryptN ?? scryptNDefault, r: 8, p: 1, salt } as const
  const key = keyFrom(store.passphrase, kdf)
  try {
    return { kdf, sealed: seal(key, place, secret).toString('base64') }
  } finally {
    key.fill(0)
  }
}

function openSealed(store: Keystore, { kdf, sealed }: Sealed, place: string, path: string): Buffer {
  const key = keyFrom(store.passphrase, kdf)
  try {
    const plain = unseal(key, place, Buffer.from(sealed, 'base64'))
    // Not from Node's shared pool, so that wiping leaves no copy.
    const secret = Buffer.alloc(plain.length)
    plain.copy(secret)
    plain.fill(0)
    return secret
  } catch {
    throw unopened(path)
  } finally {
    key.fill(0)
  }
}

function keyFrom(passphrase: Buffer, { salt, N, r, p }: Sealed['kdf']): Buffer {
  try {
    return scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, { N, r, p, maxmem: 256 * N * r + 2 ** 20 })
  } catch {
    throw new SignerStartError('The parameters of scrypt in a key file cannot be used.', 'Restore the file.')
  }
}

/** The address of a private key, or undefined when the bytes are none. The library's error is dropped: it could hold the secret. */
function addressOf(secret: Buffer): Address | undefined {
  try {
    return privateKeyToAddress(`0x${secret.toString('hex')}`).toLowerCase() as Address
  } catch {
    return undefined
  }
}

function unopened(path: string): SignerStartError {
  return new SignerStartError(
    `${path} does not open.`,
    'The passphrase is another, or the file was changed: give the right one, or restore the file.',
  )
}

function pathOf(folder: string, address: Address): string {
  return join(folder, `${address}.json`)
}
