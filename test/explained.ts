// The law of explanations: the amounts that their sentences name add up to the entries of the books.
import assert from 'node:assert/strict'
import { list, type Sql } from '#/db/client.ts'
import { explain, type ExplanationQuery, type ExplainedKind } from '#/explain/explain.ts'
import { sentenceOf } from '#/explain/sentences.ts'
import type { Step } from '#/explain/step.ts'
import { must } from '#/kernel/check.ts'
import { locales } from '#/kernel/language.ts'

type Whose = Pick<ExplanationQuery, 'merchantId' | 'id'>

/** All steps of an explanation, read page by page. */
async function stepsOf(
  sql: Sql,
  kind: ExplainedKind,
  { merchantId, id }: Whose,
  limit = 100,
): Promise<readonly Step[]> {
  const steps: Step[] = []
  let positions: ExplanationQuery['positions'] = []
  for (;;) {
    const page = must(
      await explain(sql, kind, { merchantId, id, language: 'en', positions, limit }),
      'the record is there',
    )
    steps.push(...page.steps)
    if (page.next === undefined) return steps
    assert.notDeepEqual(page.next, positions, 'a page goes on')
    positions = page.next
  }
}

/** Fails unless the sentences add up to the entries, in each language, however small the pages are. */
export async function assertExplained(
  sql: Sql,
  kind: ExplainedKind,
  whose: Whose,
  subjects: readonly string[] = [whose.id],
): Promise<readonly Step[]> {
  const steps = await stepsOf(sql, kind, whose)
  const inParts = await stepsOf(sql, kind, whose, 5)
  assert.deepEqual(new Set(inParts.map(readable)), new Set(steps.map(readable)), 'pages hold the same steps')
  assert.equal(inParts.length, steps.length)
  assert.deepEqual(
    steps.map(({ at }) => at.getTime()),
    steps.map(({ at }) => at.getTime()).toSorted((a, b) => a - b),
    'a page is in order',
  )
  const booked = await entriesOf(sql, subjects)
  for (const language of locales) {
    const narrated = new Map<string, bigint>()
    for (const step of steps) {
      const text = sentenceOf(language, step)
      assert.match(text, /^[\p{Lu}\d€R].*\.$/u)
      if (step.kind !== 'LEDGER') continue
      for (const { account, walletId = '', minor } of step.facts.entries) {
        const key = `${account} ${walletId} ${currencyIn(text)}`
        const named = amountIn(text)
        narrated.set(key, (narrated.get(key) ?? 0n) + (minor < 0n ? -named : named))
      }
    }
    assert.deepEqual(sorted(narrated), sorted(booked), `the sentences of ${kind} ${whose.id} in ${language}`)
  }
  return steps
}

/** What is written, digit by digit: a sentence about the books names one amount and no other number. */
function amountIn(text: string): bigint {
  return BigInt(text.replaceAll(/\D/g, ''))
}

const signs = { BRL: /R\$|BRL/, EUR: /€/, USDT: /USDT/, USD: /(?<!R)\$|USD/ } as const

function currencyIn(text: string): string {
  const found = Object.entries(signs).find(([, sign]) => sign.test(text))
  return must(found, `a currency in: ${text}`)[0]
}

const sorted = (sums: ReadonlyMap<string, bigint>) =>
  [...sums].filter(([, minor]) => minor !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1))

const readable = (step: Step) =>
  JSON.stringify(step, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/**
 * The sums of the entries of these subjects' transfers, by the part that an account plays for its merchant. What a sub-account repaid
 * went to a wallet of its parent, which is outside for it; what that changed for the parent is not its own.
 */
async function entriesOf(sql: Sql, subjects: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql<{ name: string; currency: string; minor: bigint }[]>`
    select case when transfer.kind = 'PARENT_REPAID' and account.id = transfer.credit then 'parent' else account.name end as name,
           account.currency, sum(entry.minor)::bigint as minor
      from transfer
      join entry on entry.transfer = transfer.number
      join account on account.id = entry.account_id
     where transfer.subject = any (${list(subjects)}::uuid[])
       and transfer.kind not in ('SHARE_COVERED', 'PLATFORM_REPAID')
     group by 1, account.currency`
  const sums = new Map<string, bigint>()
  for (const { name, currency, minor } of rows) {
    const wallet = /^wallet:(.+):(available|pending|held)$/.exec(name)
    const place = wallet
      ? `${must(wallet[2], 'a balance').toUpperCase()} ${wallet[1]}`
      : name.startsWith('receivable:')
        ? 'RECEIVABLE '
        : name.startsWith('fees:')
          ? 'FEES '
          : 'OUTSIDE '
    const key = `${place} ${currency}`
    sums.set(key, (sums.get(key) ?? 0n) + minor)
  }
  return sums
}

/** A payment with its refunds and disputes. */
export async function assertPaymentExplained(sql: Sql, whose: Whose): Promise<readonly Step[]> {
  const back = await sql<{ id: string }[]>`
    select id from refund where merchant_id = ${whose.merchantId} and payment_id = ${whose.id}
     union all
    select id from dispute where merchant_id = ${whose.merchantId} and payment_id = ${whose.id}`
  return assertExplained(sql, 'PAYMENT', whose, [whose.id, ...back.map(({ id }) => id)])
}
