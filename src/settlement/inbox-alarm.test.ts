// What settlement could not book as reported is said to a person, each thing once and as loudly as it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { logPutAside } from './inbox.ts'
import type { SettleVerdict } from './settle.ts'

test('each verdict that needs a person is logged with the receipt that it is about', () => {
  type Line = { level: number; providerRef: string; minor: string; currency: string; msg: string }
  const lines: Line[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line) as Line) })
  const levels = {
    booked: undefined,
    repeated: undefined,
    unknown_payment: undefined,
    suspended: 50,
    differs: 50,
    unbookable: 50,
    noted: 50,
    superseded: 40,
    undecided: 40,
  } as const satisfies Record<SettleVerdict[number], 40 | 50 | undefined>
  const verdicts = Object.keys(levels) as SettleVerdict[number][]
  const receipts = verdicts.map((verdict, index): Receipt => ({
    method: 'PIX',
    connection: 'a1-x' as ConnectionId,
    providerRef: verdict,
    outcome: 'paid',
    occurrence: 1,
    amount: { minor: BigInt(index), currency: 'BRL' },
    happenedAt: new Date(0),
    evidence: Buffer.from('{}'),
  }))
  logPutAside(log, receipts, verdicts)
  assert.deepEqual(
    lines.map(({ level, providerRef, minor, currency }) => [providerRef, level, minor, currency]),
    verdicts.flatMap((verdict, index) =>
      levels[verdict] === undefined ? [] : [[verdict, levels[verdict], String(index), 'BRL']],
    ),
  )
  assert.equal(new Set(lines.map(({ msg }) => msg)).size, lines.length)
})
