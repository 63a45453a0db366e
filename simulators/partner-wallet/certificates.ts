// The keys that webhooks are signed with. Two are in force: the newest signs, the one before it is still served.
import { createPublicKey, generateKeyPair, hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Certificate = {
  /** MD5 of the public key as it is served. */
  readonly certSerial: string
  readonly certPublic: string
}
export type Signer = Certificate & { readonly privateKey: string }

export type Certificates = {
  /** The key that signs webhooks now. */
  current(): Signer
  /** Newest first. */
  served(): readonly Certificate[]
  /** A new key signs at once; the oldest one is not served any more. */
  rotate(): Promise<Certificate>
  /** A key that is not served, under the name of the current one. */
  forger(): Promise<Signer>
}

const inForce = 2
const generate = promisify(generateKeyPair)

/** Opens the keys in `dir`, making them at the first start. */
export async function openCertificates(dir: string): Promise<Certificates> {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const names = readdirSync(dir).filter((name) => /^\d{6}\.pem$/.test(name))
  const kept = names.sort().map((name) => signerOf(readFileSync(join(dir, name), 'utf8')))
  let count = kept.length
  const add = (privateKey: string) => {
    const made = signerOf(privateKey)
    // Atomic: the file is complete under its name, or not there.
    const path = join(dir, `${(count += 1).toString().padStart(6, '0')}.pem`)
    writeFileSync(`${path}.new`, made.privateKey, { mode: 0o600 })
    renameSync(`${path}.new`, path)
    kept.push(made)
    return made
  }
  const missing = Array.from({ length: Math.max(0, inForce - kept.length) }, freshKey)
  for (const privateKey of await Promise.all(missing)) add(privateKey)
  let foreign: Promise<string> | undefined
  const current = () => {
    const last = kept.at(-1)
    if (last === undefined) throw new Error('There is no key.')
    return last
  }
  const served = () =>
    kept
      .slice(-inForce)
      .reverse()
      .map(({ certSerial, certPublic }) => ({ certSerial, certPublic }))
  return {
    current,
    served,
    rotate: async () => {
      const { certSerial, certPublic } = add(await freshKey())
      return { certSerial, certPublic }
    },
    forger: async () => ({ ...current(), privateKey: await (foreign ??= freshKey()) }),
  }
}

function signerOf(privateKey: string): Signer {
  const certPublic = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).trim()
  return { privateKey, certPublic, certSerial: hash('md5', certPublic, 'hex') }
}

async function freshKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' })
}
