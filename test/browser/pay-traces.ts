// The places where a typed secret could leave a trace: all data that browsers sent to us and store for us, the program's
// output, each file of its data and each row of its database.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { connect } from '#/db/client.ts'
import { joinEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Installation } from '../journeys/installation.ts'

/** A sent or stored text; other bytes are in it unchanged, or in hexadecimal. */
type Trace = { readonly where: string; readonly text: string }

/** The places where the secret was found. */
export function findIn(traces: readonly Trace[], secret: RegExp): readonly string[] {
  return traces.filter(({ text }) => secret.test(text)).map(({ where }) => where)
}

/** Matches a number with or without groups, as text, as hexadecimal and as Base64 of that text. */
export function numberPattern(digits: string): RegExp {
  const signs = digits.split('')
  const plain = signs.join(String.raw`(?:[ +.\-]|%20)?`)
  const hex = signs.map((digit) => `3${digit}`).join('(?:20|2b|2d|2e)?')
  const ways = [digits, digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')].flatMap((text) => base64Of(text))
  return new RegExp([plain, hex, ...ways].join('|'), 'i')
}

/** The digits in the middle of the encoding, for each of the three possible alignments. */
function base64Of(text: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64')
    const inner = encoded.slice(before === 0 ? 0 : 4, -4)
    return inner.replaceAll(/[+/]/g, String.raw`\$&`)
  })
}

/** Matches the security code near the month and year, in either order: three digits alone occur everywhere. */
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
  /** All data that any frame sent to one of these origins: addresses, headers, bodies, and messages between windows. */
  of(origins: readonly string[]): Promise<readonly Trace[]>
}

/** Records what a browser sends from now on. */
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
      const received = messages.filter(({ origin }) => origins.includes(origin))
      return [
        ...(await Promise.all(traces)),
        ...received.map(({ origin, text }) => ({ where: `a message to ${origin}`, text })),
      ]
    },
  }
}

/** The content of these origins' pages in this tab, and the data that they store in its browser. */
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

/** Every file of the installation's data, and of the simulators', which promise to store no numbers. */
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

/** Every row of every table as text; bytes in hexadecimal. */
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
