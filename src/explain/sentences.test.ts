// Whatever the books can hold has a sentence in each language.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deliveryStatuses } from '#/contract/events.ts'
import { connect } from '#/db/client.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import { methods } from '#/rails/methods.ts'
import { outcomes } from '#/rails/receipt.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { eventCauses, causesOfEvent } from './event-cause.ts'
import { ledgerCauses } from './ledger-cause.ts'
import { receiptCauses } from './receipt-cause.ts'
import type { Sentences } from './sentence-types.ts'
import { catalogue, causes, summaries } from './sentences.ts'
import { decisionCauses, narratedByEvents, neverNarrated } from './sources.ts'
import { accountRoles, type Cause } from './step.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.ownerUrl, { max: 1 }))

/** The values that a check of the database allows. */
async function allowedBy(constraint: string): Promise<readonly string[]> {
  const [row] = await sql<{ text: string }[]>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${constraint}`
  const found = [...(row?.text ?? '').matchAll(/'([^']+)'::text/g)].map(([, value]) => value ?? '')
  assert.ok(found.length > 1, `${constraint} lists values`)
  return found.toSorted()
}

const source = join(import.meta.dirname, '..')
const texts = globSync('**/*.ts', { cwd: source })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))

/** Facts that fit every cause. */
const facts = {
  amount: { minor: 1_234n, currency: 'BRL' },
  received: { minor: 1_100n, currency: 'BRL' },
  missing: { minor: 134n, currency: 'BRL' },
  authorised: { minor: 2_000n, currency: 'BRL' },
  fee: { minor: 50n, currency: 'BRL' },
  returned: { minor: 900n, currency: 'BRL' },
  method: 'PIX',
  from: 'AVAILABLE',
  to: 'HELD',
  entries: [],
  code: 'a_code',
  message: 'A message.',
  outcome: 'seen',
  eventType: 'payment.completed',
  delivery: { attempts: 3, responseStatus: 503 },
}

/** The sentence of a cause with these facts. */
const say = (language: Locale, cause: Cause, more: object = {}): string =>
  (catalogue[language][cause] as (facts: object) => string)({ ...facts, ...more })

test('each outcome, each type of event and each status of a delivery that the database allows is explained', async () => {
  assert.deepEqual(await allowedBy('receipt_outcome'), Object.keys(receiptCauses).toSorted())
  assert.deepEqual(await allowedBy('receipt_outcome'), [...outcomes].toSorted())
  const types = await allowedBy('event_type')
  assert.deepEqual(
    types.filter(
      (type) => !/^(?:wallet|transfer|transfer_grant|share|webhook_endpoint|service)\./.test(type),
    ),
    Object.keys(eventCauses).toSorted(),
  )
  assert.deepEqual(await allowedBy('delivery_status'), [...deliveryStatuses].toSorted())
})

test('an event of a record that has no explanation tells nothing', () => {
  assert.deepEqual(causesOfEvent('wallet.created', { id: '', data: {}, before: null, related: {} }), [])
})

test('a part with a fraction of a cent is told to the last digit, and what is missing too', () => {
  const data = { currency: 'USDT', amount: 1_000, amountReceived: 999, amountRefunded: 0 }
  const told = (more: object) =>
    locales.map((language) => {
      const [found] = causesOfEvent('payment.underpaid', {
        id: 'e',
        data: { ...data, ...more },
        before: null,
        related: {},
      })
      return say(language, 'PAID_TOO_LITTLE', found?.facts).replaceAll('\u00a0', ' ')
    })
  assert.deepEqual(told({ cryptoReceived: '9995000000000000000' }), [
    'Recebido até agora: 9,995 USDT. Faltam 0,005 USDT, e o pagamento continua em aberto.',
    'Received so far: 9.995 USDT. 0.005 USDT is missing, and the payment stays open.',
    'Recibido hasta ahora: 9,995 USDT. Faltan 0,005 USDT, y el pago sigue abierto.',
  ])
  assert.match(told({})[1] ?? '', /^Received so far: 9\.99 USDT\. 0\.01 USDT is missing/)
})

test('each kind of transfer that a recipe of the books makes has a cause, unless it belongs to another record', () => {
  const recipes = texts.filter(({ path }) => /^ledger\/(?:share-)?recipe(?:s|-parts)\.ts$/.test(path))
  assert.equal(recipes.length, 3)
  const kinds = new Set(
    recipes.flatMap(({ text }) => [...text.matchAll(/'([A-Z][A-Z_]{2,})'/g)].map(([, kind]) => kind ?? '')),
  )
  // Of suspense, of transfers between own wallets, and of the operator's own coins.
  const others = ['SUSPENSE', 'ADJUSTMENT', 'TRANSFER', 'COINS', 'GAS', 'GAS_BOUGHT']
  // Of splits, of transfers between a platform and its sub-account, and the platform's part of a repayment.
  const ofPlatforms = [
    'SHARE',
    'SHARE_FEE',
    'SHARE_REPAID',
    'SHARE_RETURNED',
    'SHARE_COVERED',
    'PLATFORM_REPAID',
  ]
  others.push(...ofPlatforms, 'SUB_TRANSFER', 'TRANSFER_REPAID')
  assert.deepEqual([...kinds].toSorted(), [...Object.keys(ledgerCauses), ...others].toSorted())
})

test('each decision about a refund, a withdrawal or evidence that is kept has a cause, or its event has', () => {
  const actions = new Set(
    // Providers have names of their own, an erasure names columns, and the causes are what is tested.
    texts.flatMap(({ path, text }) =>
      /^(?:rails|explain|erasure)\/|^audit\/erasures|^audit\/refunds-queries/.test(path)
        ? []
        : [...text.matchAll(/'((?:refund|withdrawal|dispute_evidence)\.[a-z_-]+)'/g)].map(
            ([, action]) => action ?? '',
          ),
    ),
  )
  const events: readonly string[] = Object.keys(eventCauses)
  // Of the operator's rules for a merchant.
  const others = /^withdrawal\.(?:limit|destination-(?:add|remove))$/
  const decided = [...actions].filter((action) => !events.includes(action) && !others.test(action))
  assert.deepEqual(
    decided.toSorted(),
    [...Object.keys(decisionCauses), ...narratedByEvents, ...neverNarrated].toSorted(),
  )
})

test('each cause has one plain sentence in each language, unlike that of any other cause', () => {
  assert.ok(causes.length > 80)
  for (const language of locales) {
    assert.deepEqual(Object.keys(catalogue[language]).toSorted(), [...causes].toSorted())
    const said = new Map<string, string>()
    for (const cause of causes) {
      const text = say(language, cause)
      assert.match(text, /^[\p{Lu}R\d€].*[^.]\.$/u, `${language} ${cause}: ${text}`)
      assert.doesNotMatch(text, /undefined|null|NaN|\[object/, `${language} ${cause}: ${text}`)
      assert.equal(said.get(text), undefined, `${cause} says the same as ${said.get(text)} in ${language}`)
      said.set(text, cause)
    }
  }
  const [english, portuguese, spanish] = (['en', 'pt-BR', 'es'] as const).map((language) =>
    causes.map((cause) => say(language, cause)),
  )
  for (const [index, cause] of causes.entries())
    assert.equal(new Set([english?.[index], portuguese?.[index], spanish?.[index]]).size, 3, cause)
})

test('a sentence about the books names its amount and no other number, whatever accounts it moves money between', () => {
  const booked = causes.filter(
    (cause) =>
      ['MOVED', 'ANNOUNCED', 'NO_LONGER_ANNOUNCED'].includes(cause) ||
      /CREDITED|FEE|DEBT|RELEASED|HELD_FOR_(?!APPROVAL)|_MONEY_|DEBITED/.test(cause),
  )
  assert.ok(booked.length >= 20)
  for (const language of locales)
    for (const cause of booked.filter((each) => each !== 'REFUND_HELD_FOR_APPROVAL'))
      for (const from of accountRoles)
        for (const to of accountRoles) {
          const text = say(language, cause, { from, to })
          assert.equal(text.replaceAll(/\D/g, ''), '1234', `${language} ${cause}: ${text}`)
        }
})

test('each method has a name of its own in each language', () => {
  for (const language of locales) {
    const said = methods.map((method) => say(language, 'METHOD_CHOSEN', { method }))
    assert.equal(new Set(said).size, methods.length)
  }
})

test('each status has a summary that tells it from the others', () => {
  const none = { minor: 0n, currency: 'BRL' } as const
  const sums = {
    ...facts,
    refunded: none,
    disputed: none,
    isHeldBack: false,
    approvalRequired: false,
    reviewRequired: false,
  }
  for (const language of locales) {
    for (const ofKind of Object.values(summaries[language])) {
      const said = Object.values(ofKind).map((summary) => (summary as (facts: unknown) => string)(sums))
      assert.equal(new Set(said).size, said.length)
      for (const text of said) assert.match(text, /^\p{Lu}.*\.$/u)
    }
    const whole = { minor: 100n, currency: 'BRL' } as const
    const gone = summaries[language].payment.PAID({
      amount: whole,
      received: whole,
      missing: none,
      refunded: { ...whole, minor: 30n },
      disputed: { ...whole, minor: 20n },
    })
    assert.match(gone, /0[.,]30.*0[.,]20/)
  }
})

/** Whether a catalogue without this sentence would have the type of one. */
type IsComplete = Omit<Sentences, 'PAID_LATE'> extends Sentences ? true : false

test('a cause without a sentence does not compile', () => {
  // With another type of the catalogue this line would be the one that does not compile.
  const isComplete: IsComplete = false
  assert.equal(isComplete, false)
})
