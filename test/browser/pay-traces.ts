// Where a secret that a payer typed could have left a trace: everything that browsers sent us and keep for us, everything that
// the program printed, every file of its data and every row of its database.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { connect } from '#/db/client.ts'
import { joinEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Installation } from '../journeys/installation.ts'

/** Something that was sent or kept, as text; bytes that are no text stand in it as they are, or in hexadecimal. */
type Trace = { readonly where: string; readonly text: string }

/** Where these words of a secret were found. */
export function findIn(traces: readonly Trace[], secret: RegExp): readonly string[] {
  return traces.filter(({ text }) => secret.test(text)).map(({ where }) => where)
}

/** A number however it is written: in groups or in one, as text, as hexadecimal and as Base64 of that text. */
export function numberPattern(digits: string): RegExp {
  const signs = digits.split('')
  const plain = signs.join(String.raw`(?:[ +.\-]|%20)?`)
  const hex = signs.map((digit) => `3${digit}`).join('(?:20|2b|2d|2e)?')
  const ways = [digits, digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')].flatMap((text) => base64Of(text))
  return new RegExp([plain, hex, ...ways].join('|'), 'i')
}

/** The digits in the middle of the encoding, for each of the three ways in which they can lie in it. */
function base64Of(text: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64')
    const inner = encoded.slice(before === 0 ? 0 : 4, -4)
    return inner.replaceAll(/[+/]/g, String.raw`\$&`)
  })
}

/** The security code near the month and year, in either order: alone, three digits are everywhere. */
export function codePattern({
  month,
  year,
  cvc,
}: Readonly<Record<'month' | 'year' | 'cvc', string>>): RegExp {
  const expiry = String.raw`\b${month}\s?(?:/|%2f|-)?\s?(?:20)?${year}\b`
  const code = String.raw`\b${cvc}\b`
  return new RegExp(`${expiry}[^]{0,60}${code}|${code}[^]{0,60}${expiry}`, 'i')
}

type Recording = {
  /** Everything sent to one of these origins, from any frame: addresses, headers, bodies; and messages between windows there. */
  of(origins: readonly string[]): Promise<readonly Trace[]>
}

/** Records what a browser sends, from now on. */
export async function record(context: BrowserContext): Promise<Recording> {
  const requests: Request[] = []
  const messages: { readonly origin: string; readonly text: string }[] = []
  context.on('request', (request) => requests.push(request))
  await context.exposeBinding('tellMessage', ({ frame }, text: string) =>
    messages.push({ origin: new URL(frame.url()).origin, text }),
  )
  await context.addInitScript(`
    addEventListener('message', ({ data }) => tellMessage(JSON.stringify(data) ?? ''))
  `)
  return {
    async of(origins) {
      const sent = requests.filter((request) => origins.includes(new URL(request.url()).origin))
      const traces = sent.map(async (request) => ({
        where: `${request.method()} ${request.url()}`,
        text: [request.url(), JSON.stringify(await request.allHeaders()), request.postData() ?? ''].join(
          '\n',
        ),
      }))
      const told = messages.filter(({ origin }) => origins.includes(origin))
      return [
        ...(await Promise.all(traces)),
        ...told.map(({ origin, text }) => ({ where: `a message to ${origin}`, text })),
      ]
    },
  }
}

/** What pages of these origins show in this tab, and what they keep in its browser. */
export async function shownIn(page: Page, origins: readonly string[]): Promise<readonly Trace[]> {
  const frames = page.frames().filter((frame) => origins.includes(new URL(frame.url()).origin))
  const contents = frames.map(async (frame) => ({
    where: `the page ${frame.url()}`,
    text:
      (await frame.content()) +
      JSON.stringify(await frame.evaluate('[{ ...localStorage }, { ...sessionStorage }, history.state]')),
  }))
  const cookies = { where: 'cookies', text: JSON.stringify(await page.context().cookies()) }
  return [...(await Promise.all(contents)), cookies]
}

/** Every file of the installation's data; the simulators', too, which say that they keep no numbers. */
export async function filesOf({ dataDir }: Installation): Promise<readonly Trace[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async (file) => ({
      where: file.slice(dataDir.length + 1),
      text: await readFile(file, 'latin1').catch(() => ''),
    })),
  )
}

/** Every row of every table: text, JSON and the rest as they are written, bytes in hexadecimal. */
export async function rowsOf({ dataDir, port }: Installation): Promise<readonly Trace[]> {
  const { ownerUrl } = await joinEmbeddedPostgres({ dataDir, port: port + 20, log: silentLog })
  const sql = connect(ownerUrl, { max: 1 })
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name
        from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
    const traces: Trace[] = []
    for (const { name } of tables) {
      const rows = await sql.unsafe<{ text: string }[]>(`select each::text as text from ${name} as each`)
      traces.push({ where: name, text: rows.map(({ text }) => text).join('\n') })
    }
    return traces
  } finally {
    await sql.end({ timeout: 1 })
  }
}
