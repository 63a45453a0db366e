// Runs the samples of the documents (scripts/samples) in one of their languages: the calls on a sandbox, and the check of a webhook's signature.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { samples, type Language } from '../../scripts/samples/calls.ts'
import { textOf } from '../../scripts/samples/languages.ts'
import { blocksOf, type Block } from './page.ts'
import type { Newcomer } from './shell.ts'

type Program = Exclude<Language, 'sh'>

const files: Readonly<Record<Program, string>> = { ts: 'sample.mts', python: 'sample.py', php: 'sample.php' }
const commands: Readonly<Record<Program, string>> = {
  ts: 'node sample.mts',
  python: 'python3 sample.py',
  php: 'php sample.php',
}

const pages = ['docs/README.md', 'docs/samples.md'] as const

/** Runs the blocks of a language, of each page as one program. Throws when a call is refused or something is printed that is none of its fields. */
export async function runSamples(newcomer: Newcomer, language: Program): Promise<void> {
  for (const page of pages) {
    const text = blocksOf(page)
      .filter((block) => block.language === language)
      .map((block) => block.text)
      .join('\n\n')
    const lines = `test "$(wc -l < printed.txt)" -eq ${page === 'docs/README.md' ? 1 : 5}`
    const shell = `eval "$(./vintem env)"\n${commands[language]} | tee printed.txt\n${lines}\n! grep -i undefined printed.txt`
    const run = await newcomer.run([
      blockOf(page, language, text, files[language]),
      blockOf(page, 'sh', shell),
    ])
    assert.equal(run.failure, undefined)
  }
}

function blockOf(page: string, language: string, text: string, file?: string): Block {
  return {
    page,
    line: 1,
    language,
    text,
    notes: new Map(file === undefined ? [] : [['file', file] as const]),
  }
}

/** What asks the sample's function about a body in a file and headers in the environment, and ends with 0 if it says yes, else with 3. */
const drivers: Readonly<Record<Language, readonly [file: string, program: string, ask: string]>> = {
  sh: ['verify.sh', 'bash', 'is_genuine "$ID" "$TIME" "$SIGNATURE" body.json || exit 3'],
  ts: [
    'verify.mts',
    process.execPath,
    `import { readFileSync } from 'node:fs'
const headers = { 'webhook-id': process.env.ID ?? '', 'webhook-timestamp': process.env.TIME ?? '', 'webhook-signature': process.env.SIGNATURE ?? '' }
process.exit(isGenuine(readFileSync('body.json', 'utf8'), headers) ? 0 : 3)`,
  ],
  python: [
    'verify.py',
    'python3',
    `headers = {"webhook-id": os.environ["ID"], "webhook-timestamp": os.environ["TIME"], "webhook-signature": os.environ["SIGNATURE"]}
raise SystemExit(0 if is_genuine(open("body.json", "rb").read(), headers) else 3)`,
  ],
  php: [
    'verify.php',
    'php',
    `$headers = ['webhook-id' => getenv('ID'), 'webhook-timestamp' => getenv('TIME'), 'webhook-signature' => getenv('SIGNATURE')];
exit(isGenuine(file_get_contents('body.json'), $headers) ? 0 : 3);`,
  ],
}

const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
const stranger = `whsec_${Buffer.from('the secret of another sender').toString('base64')}`
const minuteMs = 60_000

/** Asks the sample about webhooks that the official library signed: good, forged, changed and stale. */
export function tryVerification(folder: string, language: Language): void {
  const [file, program, ask] = drivers[language]
  const begin = language === 'php' ? '<?php\n' : ''
  writeFileSync(join(folder, file), `${begin}${textOf(samples['verify'] ?? [], language)}\n\n${ask}\n`)
  const body = '{"type":"payment.completed","data":{"amount":4990,"name":"São João"}}'
  const id = randomUUID()
  const now = new Date()
  const later = (minutes: number) => new Date(now.getTime() + minutes * minuteMs)
  const by = (key: string, at = now) => new Webhook(key).sign(id, at, body)
  const says = (sent: string, at: Date, signature: string) => {
    writeFileSync(join(folder, 'body.json'), sent)
    const TIME = String(Math.floor(at.getTime() / 1_000))
    const env = { ...process.env, WEBHOOK_SECRET: secret, ID: id, TIME, SIGNATURE: signature }
    const { status, stderr } = spawnSync(program, [file], { cwd: folder, env, encoding: 'utf8' })
    assert.ok(status === 0 || status === 3, `${language}: ended with ${status}\n${stderr}`)
    return status === 0
  }
  assert.equal(says(body, now, by(secret)), true, 'a good one')
  assert.equal(says(body, now, `${by(stranger)} ${by(secret)}`), true, 'one of two signatures')
  assert.equal(says(body, now, by(stranger)), false, 'another secret')
  assert.equal(says(body.replace('4990', '49900'), now, by(secret)), false, 'a changed body')
  assert.equal(says(body, later(1), by(secret)), false, 'a changed time')
  for (const minutes of [-6, 6])
    assert.equal(says(body, later(minutes), by(secret, later(minutes))), false, `${minutes} minutes`)
  assert.equal(says(body, now, ''), false, 'no signature')
}
