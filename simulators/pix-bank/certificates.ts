// The bank's own certificate authority: it signs the certificates of the bank's server, of its clients, and of servers that the
// bank is to call. Keys are on P-256, except the one that signs payment locations, which the API Pix requires in RSA.
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
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { now } from '../kit/clock.ts'

/** PEM texts. */
export type Identity = { readonly certificate: string; readonly privateKey: string }

export type Authority = {
  /** The authority's certificate, PEM. */
  readonly ca: string
  /** A client certificate for a caller of the bank. */
  client(name: string): Identity
  /** A certificate for a server at these names and addresses. */
  server(hosts: readonly string[]): Identity
  /** Signs payment locations; RSA, made on first use. */
  signer(): Identity
}

const dayMs = 24 * 60 * 60 * 1000
const lifeMs = 10 * 365 * dayMs
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'
const signs = x509.KeyUsageFlags.digitalSignature
const caName = 'Simulated Pix Bank CA'

/** Opens the authority in `dir`, or creates it there. */
export function openAuthority(dir: string): Authority {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const root = kept(dir, 'ca', () => found(caName))
  const key = createPrivateKey(root.privateKey)
  const rootKeyId = keyIdOf(new X509Certificate(root.certificate).publicKey)
  const issue = (name: string, keys: Keys, extensions: readonly x509.Extension[]): Identity => ({
    certificate: certificate({ name, keys, key, issuerKeyId: rootKeyId, extensions }),
    privateKey: pkcs8(keys.privateKey),
  })
  return {
    ca: root.certificate,
    client: (name) => issue(name, ecKeys(), [usage(signs), purpose(x509.id_kp_clientAuth)]),
    server: (hosts) =>
      issue(hosts[0] ?? 'server', ecKeys(), [
        usage(signs),
        purpose(x509.id_kp_serverAuth),
        alternatives(hosts),
      ]),
    signer: () => kept(dir, 'jws', () => issue('Simulated Pix Bank JWS', rsaKeys(), [usage(signs)])),
  }
}

/** A client certificate that no receiver should trust: of an unknown authority. */
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
  const isCa = extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), true)
  const extensions = [isCa, usage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign)]
  const made = certificate({ name, issuer: name, keys, key: keys.privateKey, issuerKeyId, extensions })
  return { certificate: made, privateKey: pkcs8(keys.privateKey) }
}

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

function ecKeys(): Keys {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function rsaKeys(): Keys {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

type NewCertificate = {
  readonly name: string
  readonly issuer?: string
  readonly keys: Keys
  /** The issuer's. */
  readonly key: KeyObject
  readonly issuerKeyId: Buffer
  readonly extensions: readonly x509.Extension[]
}

/** An X.509 version 3 certificate (RFC 5280), as PEM. */
function certificate({ name, issuer = caName, keys, key, issuerKeyId, extensions }: NewCertificate): string {
  const notBefore = now() - dayMs
  const identifiers = [
    extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(keyIdOf(keys.publicKey))),
    extension(
      x509.id_ce_authorityKeyIdentifier,
      new x509.AuthorityKeyIdentifier({ keyIdentifier: new x509.KeyIdentifier(issuerKeyId) }),
    ),
  ]
  const signature = new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 })
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber(),
    signature,
    issuer: commonName(issuer),
    validity: new x509.Validity({ notBefore: new Date(notBefore), notAfter: new Date(notBefore + lifeMs) }),
    subject: commonName(name),
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(keys.publicKey), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions([...identifiers, ...extensions]),
  })
  const signed = sign('sha256', bytesOf(tbsCertificate), key)
  const whole = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: signature,
    signatureValue: new Uint8Array(signed).buffer,
  })
  return new X509Certificate(bytesOf(whole)).toString()
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(AsnConvert.serialize(value))
}

function commonName(text: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: text })
  return new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: '2.5.4.3', value })]),
  ])
}

/** 127 random bits: positive, and in its shortest form. */
function serialNumber(): ArrayBuffer {
  const bytes = new Uint8Array(randomBytes(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.buffer
}

function extension(extnID: string, value: unknown, critical = false): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

function usage(flags: number): x509.Extension {
  return extension(x509.id_ce_keyUsage, new x509.KeyUsage(flags), true)
}

function purpose(id: string): x509.Extension {
  return extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([id]))
}

function alternatives(hosts: readonly string[]): x509.Extension {
  const names = hosts.map(
    (host) => new x509.GeneralName(isIP(host) === 0 ? { dNSName: host } : { iPAddress: host }),
  )
  return extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(names))
}

/** The key identifier that stored authorities use too: the SHA-1 of its SubjectPublicKeyInfo. */
function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1').update(spkiOf(key)).digest()
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' })
}
