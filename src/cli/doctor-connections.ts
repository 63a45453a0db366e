// The part of `doctor` about providers: each LIVE connection, its certificates, and where its provider calls us.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveSealingPair } from '#/kernel/seal-to.ts'
import { keysOf } from '#/kernel/secret.ts'
import { hourMs, systemClock } from '#/kernel/time.ts'
import { selectChanged, type ConnectionRow, selectPublicKey } from '#/merchants/connection-queries.ts'
import { connectionKeys, openConnectionBook, type OpenConnection } from '#/merchants/connections.ts'
import { callbackAddress, findType, nameOf, typeOf } from '#/rails/connection-types.ts'
import { faultsOfParts } from '#/rails/kit/connection-type.ts'
import { commandLog } from './decision.ts'
import { failed, ok, warning, type Finding } from './doctor-finding.ts'
import { keyGiven } from './keys.ts'

/** `asks`: whether providers are asked, with the credentials of each connection. It changes nothing there. */
export async function connectionFindings(
  config: Config,
  url: string,
  asks: boolean,
): Promise<readonly Finding[]> {
  const sql = connect(url, { max: 2, applicationName: 'vintem-doctor', connectTimeoutSeconds: 5 })
  try {
    const rows = (await selectChanged(sql, undefined)).filter(
      (row) => row.mode === 'LIVE' && row.isActive && findType(row) !== undefined,
    )
    const findings = [await workerKeyFinding(config, sql), await certificateFinding(config, rows)]
    if (rows.length === 0) {
      const remedy = 'Add one for each method: ./vintem connection add --help, docs/going-live.md'
      return [...findings, warning('connections', 'There is no LIVE connection to a provider.', remedy)]
    }
    const opened = await openAll(config, sql)
    const each = await Promise.all(rows.map((row) => findingsOf(config, row, opened.get(row.id), asks)))
    return [...findings, ok('connections', `${rows.length} LIVE connections are active.`), ...each.flat()]
  } catch (error) {
    return [
      failed(
        'connections',
        `Connections cannot be read: ${messageOf(error)}`,
        'See the lines about the database.',
      ),
    ]
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function workerKeyFinding(config: Config, sql: Sql): Promise<Finding> {
  const published = await selectPublicKey(sql)
  const id = 'key.worker.published'
  if (published === undefined)
    return warning(
      id,
      'No worker has published its public key.',
      'Start a worker, or ./vintem connection publish-key',
    )
  if (published.origin === 'SANDBOX') {
    const remedy = 'Set VINTEM_WORKER_KEY, and see docs/operating.md, "Changing keys".'
    return failed(id, 'The published key was made by a sandbox, whose reset removes it.', remedy)
  }
  const key = keyGiven(config, 'VINTEM_WORKER_KEY')
  const isOurs = (each: Buffer) => deriveSealingPair(each).publicKey.equals(published.publicKey)
  if (key !== undefined && !keysOf(key).some(isOurs))
    return failed(
      id,
      'VINTEM_WORKER_KEY is not the key whose public half is published.',
      'Set the key of the other workers.',
    )
  return ok(id, 'The public half of the worker’s key is published.')
}

/** By which way callbacks with a client certificate come. */
async function certificateFinding(config: Config, rows: readonly ConnectionRow[]): Promise<Finding> {
  const id = 'callbacks'
  const {
    VINTEM_CALLBACK_CERT: certificate,
    VINTEM_CALLBACK_KEY: key,
    VINTEM_CALLBACK_PROXY_HEADER: header,
  } = config
  if (certificate !== '' || key !== '') {
    try {
      const [pem, keyPem] = await Promise.all([readFile(certificate, 'utf8'), readFile(key, 'utf8')])
      if (!new X509Certificate(pem).checkPrivateKey(createPrivateKey(keyPem)))
        return failed(
          id,
          'VINTEM_CALLBACK_KEY is not the key of VINTEM_CALLBACK_CERT.',
          'Set both to files of one pair.',
        )
      return certificatesFinding(id, 'The callback server', [pem], systemClock.now())
    } catch (error) {
      return failed(
        id,
        `The certificate of the callback server cannot be read: ${messageOf(error)}`,
        'Set VINTEM_CALLBACK_CERT and VINTEM_CALLBACK_KEY to files in PEM.',
      )
    }
  }
  if (header !== '') {
    if (config.VINTEM_TRUSTED_PROXIES.length > 0)
      return ok(id, 'A proxy checks the certificates of providers.')
    return failed(
      id,
      'VINTEM_CALLBACK_PROXY_HEADER is set, but no proxy is trusted.',
      'Name the proxy in VINTEM_TRUSTED_PROXIES.',
    )
  }
  if (!rows.some(({ method }) => method === 'PIX'))
    return ok(id, 'No provider calls back with a client certificate.')
  const what = 'Callbacks by PIX cannot come: there is neither a certificate here nor a proxy that checks it.'
  return failed(id, what, 'docs/rails/pix.md, step 3. Money is found by reconciliation alone until then.')
}

/** With the keys that are here; a connection that they do not open is missing. */
async function openAll(config: Config, sql: Sql): Promise<ReadonlyMap<string, OpenConnection>> {
  const masterKey = keyGiven(config, 'VINTEM_MASTER_KEY')
  if (masterKey === undefined) return new Map()
  const keys = connectionKeys(masterKey, keyGiven(config, 'VINTEM_WORKER_KEY'))
  const book = await openConnectionBook({ sql, keys, log: silentLog })
  book.close()
  const ids = (await selectChanged(sql, undefined)).map(({ id }) => id)
  return new Map(ids.flatMap((id) => book.find(id) ?? []).map((each) => [each.id, each]))
}

async function findingsOf(
  config: Config,
  row: ConnectionRow,
  opened: OpenConnection | undefined,
  asks: boolean,
): Promise<readonly Finding[]> {
  const id = `connection.${row.id}`
  const name = `${nameOf(row.method)} at ${row.provider} (${row.id})`
  if (opened === undefined) {
    const remedy = 'Set the VINTEM_MASTER_KEY under which it was sealed, or enter its credentials again.'
    return [failed(`${id}.opens`, `${name} cannot be opened with the keys that are here.`, remedy)]
  }
  const type = typeOf(row)
  const { provider, settings, secrets, refundSecrets } = opened
  const parts = { provider, settings, secrets, ...given({ refundSecrets }) }
  const [fault] = faultsOfParts(type, parts)
  const pems = [settings, secrets, refundSecrets ?? {}].flatMap(pemsIn)
  return [
    fault === undefined
      ? ok(`${id}.opens`, `${name} is complete.`)
      : failed(
          `${id}.opens`,
          `${name}: ${fault.pointer}: ${fault.message}`,
          `${type.page} shows its file. ./vintem connection replace ${row.id} --file …`,
        ),
    ...(pems.length === 0 ? [] : [certificatesFinding(`${id}.certificates`, name, pems, systemClock.now())]),
    ...refundsFinding(id, name, row),
    ...(await callbackFinding(config, id, opened)),
    ...(asks ? [await probeFinding(config, id, name, opened)] : []),
  ]
}

function refundsFinding(id: string, name: string, row: ConnectionRow): readonly Finding[] {
  if (typeOf(row).refundSecrets === undefined) return []
  if (row.sealedRefunds !== null) return [ok(`${id}.refunds`, `${name} can refund.`)]
  return [
    warning(
      `${id}.refunds`,
      `${name} has no refundSecrets: refunds wait.`,
      'Add them with ./vintem connection replace',
    ),
  ]
}

async function callbackFinding(
  config: Config,
  id: string,
  connection: OpenConnection,
): Promise<readonly Finding[]> {
  const urls = { certified: config.VINTEM_CALLBACK_URL, api: config.VINTEM_API_URL }
  const deps = { clock: systemClock, log: silentLog }
  const address = await callbackAddress(deps, connection, urls)
  if (address === undefined) return []
  const how = address.isByHand
    ? 'Enter it at the provider by hand'
    : `Register it: ./vintem connection register ${connection.id}`
  const what = `Its provider must call ${address.url}`
  if (!address.url.startsWith('https://'))
    return [
      failed(`${id}.callback`, `${what}, which is not https.`, 'See the lines url.api and url.callback.'),
    ]
  return [ok(`${id}.callback`, `${what}. ${how}.`)]
}

async function probeFinding(
  config: Config,
  id: string,
  name: string,
  connection: OpenConnection,
): Promise<Finding> {
  const remedy = `${typeOf(connection).page} says what to check.`
  try {
    const deps = { clock: systemClock, log: commandLog(config) }
    const probes = await typeOf(connection).probe(deps, connection)
    const bad = probes.filter((probe) => !probe.ok).map(({ what, said }) => `${what}: ${said}`)
    if (bad.length > 0) return failed(`${id}.answers`, `${name}: ${bad.join('; ')}`, remedy)
    return ok(`${id}.answers`, `${name} answers.`)
  } catch (error) {
    return failed(`${id}.answers`, `${name}: ${messageOf(error)}`, remedy)
  }
}

/** Every certificate in the values, however deep they lie. */
function pemsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('-----BEGIN CERTIFICATE-----') ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(pemsIn) : []
}

const soonDays = 30

/** Judges the certificate that ends first. */
export function certificatesFinding(id: string, name: string, pems: readonly string[], at: Date): Finding {
  const blocks = pems.flatMap(
    (pem) => pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [],
  )
  const remedy = 'Renew it, and enter the new one: ./vintem connection replace, or VINTEM_CALLBACK_CERT.'
  try {
    const certificates = blocks.map((block) => new X509Certificate(block))
    const [first] = certificates.toSorted((a, b) => a.validToDate.getTime() - b.validToDate.getTime())
    if (first === undefined) return failed(id, `${name} has no certificate in PEM.`, remedy)
    const early = certificates.find(({ validFromDate }) => validFromDate > at)
    if (early !== undefined)
      return failed(
        id,
        `${name}: a certificate is valid only from ${early.validFromDate.toISOString()} on.`,
        'Check the clock of this machine.',
      )
    const days = Math.floor((first.validToDate.getTime() - at.getTime()) / (24 * hourMs))
    const what = `${name}: the certificate of ${first.subject.replaceAll('\n', ', ')} ends on ${first.validToDate.toISOString().slice(0, 10)}.`
    if (days < 0) return failed(id, what, remedy)
    return days < soonDays ? warning(id, what, remedy) : ok(id, what)
  } catch (error) {
    return failed(id, `${name}: a certificate cannot be read: ${messageOf(error)}`, remedy)
  }
}
