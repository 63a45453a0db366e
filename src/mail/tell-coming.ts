// Notifies members of a date before it comes: evidence is due, an endpoint will be disabled, a key will expire. Each is notified once, and
// within the limit of notices.
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isCurrency, toDecimal } from '#/kernel/money.ts'
import * as due from './notice-queries.ts'
import type { Coming, Page } from './notice-queries.ts'
import type { Notice } from './notices.ts'
import { hourMax } from './notices.ts'
import { type ReaderDeps, writeNotices } from './read-events.ts'

const pageMax = 200
const forgetMax = 1_000

const kinds: readonly (readonly [
  Notice,
  (sql: ReaderDeps['sql'], page: Page) => Promise<readonly Coming[]>,
])[] = [
  ['DISPUTE_DUE', due.selectEvidenceDue],
  ['ENDPOINT_FAILING', due.selectFailing],
  ['KEY_EXPIRING', due.selectExpiring],
]

/** Scans all such dates once. Returns 0: a notice that could not be written waits for the next scan. */
export async function tellComingOnce(deps: ReaderDeps): Promise<number> {
  for (const [kind, select] of kinds) {
    let after: string | undefined
    for (;;) {
      const page = await select(deps.sql, { after, limit: pageMax })
      for (const coming of page)
        // A notice that cannot be written must not delay the others.
        await tell(deps, kind, coming).catch((error: unknown) =>
          deps.log.warn(
            { merchant: coming.merchantId, kind, subject: coming.id, error: messageOf(error) },
            'a notice could not be written; it waits',
          ),
        )
      after = page.at(-1)?.id
      if (page.length < pageMax) break
    }
  }
  await due.forgetNotified(deps.sql, forgetMax)
  return 0
}

/** In one transaction, under the lock of the merchant's reader of notices, which counts what is written in an hour. */
function tell(deps: ReaderDeps, kind: Notice, coming: Coming): Promise<void> {
  const { merchantId, id, dueAt, name } = coming
  return deps.sql.begin(async (tx) => {
    const reader = await due.lockReader(tx, merchantId, 'NOTICE')
    if (reader === undefined) return
    const amount = amountOf(coming)
    const written = await writeNotices(deps, tx, reader, {
      merchantId,
      notice: kind,
      resourceId: id,
      room: hourMax.NOTICE - reader.written,
      dueAt: dueAt.toISOString(),
      ...(name === null ? {} : { name }),
      ...given({ amount }),
      begin: () => due.insertNotified(tx, kind, coming),
    })
    if (written === undefined || written === 0) return
    const { sequence } = reader
    await due.moveReader(tx, merchantId, 'NOTICE', { sequence, written: reader.written + written })
  })
}

function amountOf({ amountMinor, currency }: Coming): string | undefined {
  if (amountMinor === null || currency === null || !isCurrency(currency)) return undefined
  return `${toDecimal({ minor: amountMinor, currency })} ${currency}`
}
