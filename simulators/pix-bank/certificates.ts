// The bank's own certificate authority: it signs the bank's server, its clients' certificates, and servers that the bank
// is to call. Keys are on P-256, but for the one that signs payment locations, which the API Pix wants in RSA.
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { now } from '../kit/clock.ts'
import { bits, der, integer, objectId, octets, sequence, set, time, utf8, yes } from './der.ts'

/** PEM texts. */
export type Identity = { readonly certificate: string; readonly privateKey: string }

export type Authority = {
  /** The authority's certificate, PEM. */
  readonly ca: string
  /** For a caller of the bank. */
  client(name: string): Identity
  /** For a server at these names and addresses. */
  server(hosts: readonly string[]): Identity
  /** Signs payment locations; RSA, made when it is first wanted. */
  signer(): Identity
}

const dayMs = 24 * 60 * 60 * 1000
const lifeMs = 10 * 365 * dayMs
const serverAuth = '1.3.6.1.5.5.7.3.1'
const clientAuth = '1.3.6.1.5.5.7.3.2'
const ecdsaSha256 = sequence(objectId('1.2.840.10045.4.3.2'))
const caName = 'Simulated Pix Bank CA'

/** Opens the authority in `dir`, or founds it there. */
export function openAuthority(dir: string): Authority {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const root = kept(dir, 'ca', () => found(caName))
  const key = createPrivateKey(root.privateKey)
  const rootKeyId = keyIdOf(new X509Certificate(root.certificate).publicKey)
  const issue = (name: string, keys: Keys, extensions: readonly Buffer[]): Identity => ({
    certificate: pem('CERTIFICATE', certificate({ name, keys, key, issuerKeyId: rootKeyId, extensions })),
    privateKey: pkcs8(keys.privateKey),
  })
  return {
    ca: root.certificate,
    client: (name) => issue(name, ecKeys(), [usage(0x80, 7), purposes(clientAuth)]),
    server: (hosts) =>
      issue(hosts[0] ?? 'server', ecKeys(), [usage(0x80, 7), purposes(serverAuth), alternatives(hosts)]),
    signer: () => kept(dir, 'jws', () => issue('Simulated Pix Bank JWS', rsaKeys(), [usage(0x80, 7)])),
  }
}

/** A client certificate that no caller should trust: of an authority that nobody knows. */
export function foreignIdentity(): Identity {
  return found('Somebody Else')
}

function kept(dir: string, name: string, make: () => Identity): Identity {
  const path = join(dir, `${name}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Identity
  const identity = make()
  writeFileSync(`${path}.new`, JSON.stringify(identity, undefined, 2), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return identity
}

function found(name: string): Identity {
  const keys = ecKeys()
  const issuerKeyId = keyIdOf(keys.publicKey)
  const isCa = extension('2.5.29.19', sequence(yes), true)
  const extensions = [isCa, usage(0x06, 1)]
  const made = certificate({ name, issuer: name, keys, key: keys.privateKey, issuerKeyId, extensions })
  return { certificate: pem('CERTIFICATE', made), privateKey: pkcs8(keys.privateKey) }
}

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

function ecKeys(): Keys {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function rsaKeys(): Keys {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

type Wanted = {
  readonly name: string
  readonly issuer?: string
  readonly keys: Keys
  /** The issuer's. */
  readonly key: KeyObject
  readonly issuerKeyId: Buffer
  readonly extensions: readonly Buffer[]
}

/** An X.509 version 3 certificate (RFC 5280), in DER. */
function certificate(wanted: Wanted): Buffer {
  const from = now() - dayMs
  const named = (name: string) => sequence(set(sequence(objectId('2.5.4.3'), utf8(name))))
  const identifiers = [
    extension('2.5.29.14', octets(keyIdOf(wanted.keys.publicKey))),
    extension('2.5.29.35', sequence(der(0x80, wanted.issuerKeyId))),
  ]
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ecdsaSha256,
    named(wanted.issuer ?? caName),
    sequence(time(new Date(from)), time(new Date(from + lifeMs))),
    named(wanted.name),
    wanted.keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...identifiers, ...wanted.extensions)),
  )
  return sequence(body, ecdsaSha256, bits(sign('sha256', body, wanted.key)))
}

/** 127 random bits: positive, and in its shortest form. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectId(id), ...(isCritical ? [yes] : []), octets(value))
}

function usage(flags: number, unused: number): Buffer {
  return extension('2.5.29.15', bits(Buffer.from([flags]), unused), true)
}

function purposes(purpose: string): Buffer {
  return extension('2.5.29.37', sequence(objectId(purpose)))
}

function alternatives(hosts: readonly string[]): Buffer {
  return extension('2.5.29.17', sequence(...hosts.map(alternative)))
}

function alternative(host: string): Buffer {
  const version = isIP(host)
  if (version === 0) return der(0x82, Buffer.from(host))
  if (version === 4) return der(0x87, Buffer.from(host.split('.').map((part) => Number.parseInt(part, 10))))
  return der(0x87, ipv6(host))
}

function ipv6(host: string): Buffer {
  const [head = '', tail] = host.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const behind = groups(tail ?? '')
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...behind].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' })
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
