// The files of ISO 20022 that we write, and that the simulated bank and the tests write: always the same bytes. test/rails/iso20022/ keeps
// those that a validator of others found valid.
import { callControl, hosted, type Json } from '../../simulators/kit/harness.ts'
import { startBank } from '../../simulators/sepa-bank/server.ts'
import { painFile, type Payment } from '../../src/rails/sepa/pain.ts'
import { notificationFile, reportFile, statementFile } from './sepa-files.ts'

const at = new Date('2026-11-24T09:00:00.000Z')
const account = { iban: 'PT50000201231234567890154', bic: 'BCOMPTPL', beneficiary: 'Vintem Lda' }

/** All that must be valid, and what must not be. */
export async function isoFiles(): Promise<{
  readonly valid: readonly Named[]
  readonly broken: readonly Named[]
}> {
  const [ofTests, ofBank] = [testFiles(), await bankFiles()]
  return { valid: [...ownFiles(), ...atOneTime(ofTests), ...atOneTime(ofBank)], broken: brokenFiles() }
}

export type Named = readonly [name: string, content: string]

const payment = (more: Partial<Payment> = {}): Payment => ({
  reference: '019aa4d022227000800000000000001a',
  minor: 12_345n,
  iban: 'DE89370400440532013000',
  beneficiary: 'Ana Müller',
  note: 'Invoice 7',
  ...more,
})

function file(payments: readonly Payment[], settings: Parameters<typeof painFile>[0] = account): string {
  return painFile(settings, { messageId: '019aa4d0222270008000000000000001', at, payments }).toString('utf8')
}

/** What we hand in at banks: of all that can be in a payment. */
export function ownFiles(): readonly Named[] {
  const { bic: _none, ...withoutBic } = account
  return [
    ['own-one', file([payment()])],
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
    ['own-many', file(Array.from({ length: 20 }, (_, nth) => payment({ reference: `P${nth}` })))],
  ]
}

/** What the schema forbids, to see that the validator notices. */
function brokenFiles(): readonly Named[] {
  const whole = file([payment()])
  return [
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
  const written: readonly (readonly [string, Buffer])[] = [
    ...(['02', '08'] as const).flatMap((version): readonly (readonly [string, Buffer])[] => [
      [`test-statement-${version}`, statementFile({ ...base, version })],
      [`test-notification-${version}`, notificationFile({ ...base, version })],
    ]),
    ['test-report', reportFile({ messageId: 'M1', rejected: [{ reference: 'A', reason: 'AC04' }] })],
    ['test-report-whole', reportFile({ messageId: 'M1', whole: 'RJCT' })],
  ]
  return written.map(([name, bytes]) => [name, bytes.toString('utf8')])
}

/** What the simulated bank writes: every scenario in both versions, recalls, and its answers to files of payments. */
async function bankFiles(): Promise<readonly Named[]> {
  await using bank = await hosted(undefined, (dataDir) =>
    startBank({ dataDir, port: 0, retrySeconds: [1], seed: 20_022 }),
  )
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

/** The same files as if they had been written on one day: instants are that day's, and other days are as far from each other as before. */
function atOneTime(files: readonly Named[]): readonly Named[] {
  const still = files.map(
    ([name, text]) =>
      [
        name,
        text
          .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/g, at.toISOString().slice(0, 19))
          .replaceAll(/\.\d{3}Z/g, '.000Z'),
      ] as const,
  )
  const pattern = />(\d{4}-\d{2}-\d{2})</g
  const days = [
    ...new Set(still.flatMap(([, text]) => [...text.matchAll(pattern)].map(([, day = '']) => day))),
  ].sort()
  const first = Date.parse(days[0] ?? '')
  const moved = (day: string) => new Date(at.getTime() + Date.parse(day) - first).toISOString().slice(0, 10)
  return still.map(([name, text]) => [
    name,
    days.reduceRight(
      (left, day) =>
        left
          .replaceAll(`>${day}<`, `>${moved(day)}<`)
          .replaceAll(day.replaceAll('-', ''), moved(day).replaceAll('-', '')),
      text,
    ),
  ])
}
