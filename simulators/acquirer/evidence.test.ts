import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { forbidden } from '../../test/forbidden.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { startTestAcquirer, terms } from './harness.ts'

const acquirer = openForTests(startTestAcquirer)
const shop = makeForTests(() => acquirer.account())

async function dispute(): Promise<string> {
  const session = await shop.stripe.checkout.sessions.create(terms())
  const { paymentIntent } = await acquirer.control('pay', { session: session.id, card: 'success' })
  return String((await acquirer.control('disputes', { paymentIntent }))['id'])
}

async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n\u00e7\u0000', 'latin1')

function uploaded(bytes: Buffer): Promise<Stripe.File> {
  const file = { name: 'receipt.pdf', data: bytes, type: 'application/octet-stream' }
  return shop.stripe.files.create({ purpose: 'dispute_evidence', file })
}

test('an uploaded file is kept byte for byte; what is no PDF, JPEG or PNG, or too large, is refused', async () => {
  const file = await uploaded(pdf)
  assert.deepEqual(
    [file.object, file.type, file.size, file.filename, file.purpose],
    ['file', 'pdf', pdf.length, 'receipt.pdf', 'dispute_evidence'],
  )
  assert.equal((await shop.stripe.files.retrieve(file.id)).size, pdf.length)
  const kept = await fetch(`${acquirer.apiUrl}/_sim/files/${file.id}`)
  const { content } = (await kept.json()) as { content: string }
  assert.deepEqual(Buffer.from(content, 'base64'), pdf)
  const large = Buffer.concat([pdf, Buffer.alloc(5_000_000)])
  for (const bytes of [Buffer.from('GIF89a'), Buffer.from(''), large])
    assert.equal((await refusal(uploaded(bytes))).statusCode, 400)
  const other = await acquirer.account()
  assert.equal((await refusal(other.stripe.files.retrieve(file.id))).statusCode, 404)
})

test('files above 4.5 MB together are refused', async () => {
  const id = await dispute()
  const half = Buffer.concat([pdf, Buffer.alloc(2_300_000)])
  const [one, two] = [(await uploaded(half)).id, (await uploaded(half)).id]
  await shop.stripe.disputes.update(id, { evidence: { receipt: one }, submit: false })
  const error = await refusal(
    shop.stripe.disputes.update(id, { evidence: { uncategorized_file: two }, submit: false }),
  )
  assert.deepEqual([error.statusCode, error.param], [400, 'evidence'])
})

test('evidence stays until it is replaced or emptied', async () => {
  const id = await dispute()
  const { disputes } = shop.stripe
  const fresh = await disputes.retrieve(id)
  assert.equal(fresh.evidence.customer_name, null)
  assert.deepEqual(fresh.evidence.enhanced_evidence, {})
  assert.equal(fresh.evidence_details.submission_method, 'not_submitted')
  const receipt = (await uploaded(pdf)).id
  await disputes.update(id, { evidence: { customer_name: 'Ana', receipt }, submit: false })
  const staged = await disputes.update(id, {
    evidence: { customer_name: '' },
    metadata: { case: '7' },
    submit: false,
  })
  assert.deepEqual([staged.evidence.customer_name, staged.evidence.receipt], [null, receipt])
  const sent = await disputes.update(id, { metadata: { case: '' }, submit: true })
  assert.deepEqual(
    [sent.metadata, sent.status, sent.evidence_details.submission_method],
    [{}, 'under_review', 'manual'],
  )
})

test('the evidence that card networks require is kept as given, each part separately', async () => {
  const id = await dispute()
  const { disputes } = shop.stripe
  const buyer = { customer_purchase_ip: '203.0.113.7', customer_email_address: 'ana@example.com' }
  const shipped = { line1: 'Rua A, 1', city: 'Recife', country: 'BR' }
  const staged = await disputes.update(id, {
    evidence: {
      enhanced_evidence: {
        visa_compelling_evidence_3: {
          disputed_transaction: {
            ...buyer,
            merchandise_or_services: 'merchandise',
            product_description: 'Broa',
            shipping_address: shipped,
          },
          prior_undisputed_transactions: [
            { charge: 'ch_1', ...buyer },
            { charge: 'ch_2', ...buyer },
          ],
        },
      },
    },
    submit: false,
  })
  const { visa_compelling_evidence_3: given } = staged.evidence.enhanced_evidence
  const disputed = given?.disputed_transaction
  assert.deepEqual(
    [disputed?.customer_purchase_ip, disputed?.merchandise_or_services, disputed?.customer_device_id],
    ['203.0.113.7', 'merchandise', null],
  )
  assert.deepEqual([disputed?.shipping_address?.city, disputed?.shipping_address?.state], ['Recife', null])
  assert.deepEqual(
    given?.prior_undisputed_transactions.map(({ charge }) => charge),
    ['ch_1', 'ch_2'],
  )
  assert.equal(staged.evidence_details.has_evidence, true)
  const both = await disputes.update(id, {
    evidence: { enhanced_evidence: { visa_compliance: { fee_acknowledged: true } } },
    submit: false,
  })
  assert.deepEqual(Object.keys(both.evidence.enhanced_evidence).toSorted(), [
    'visa_compelling_evidence_3',
    'visa_compliance',
  ])
  assert.equal(both.evidence.enhanced_evidence.visa_compliance?.fee_acknowledged, true)
  const none = await disputes.update(id, { evidence: { enhanced_evidence: '' }, submit: false })
  assert.deepEqual([none.evidence.enhanced_evidence, none.evidence_details.has_evidence], [{}, false])
})

test('invalid evidence is refused, and the error names its field', async () => {
  const id = await dispute()
  const at = 'evidence[enhanced_evidence][visa_compelling_evidence_3]'
  const prior = (list: unknown) => ({
    enhanced_evidence: { visa_compelling_evidence_3: { prior_undisputed_transactions: list } },
  })
  for (const [param, evidence] of [
    ['evidence[customer_nam]', { customer_nam: 'Ana' }],
    ['evidence[receipt]', { receipt: 'file_1' }],
    ['evidence', { uncategorized_text: 'x'.repeat(100_000), customer_name: 'x'.repeat(50_001) }],
    ['evidence[enhanced_evidence][visa]', { enhanced_evidence: { visa: { a: 1 } } }],
    [`${at}[prior_undisputed_transactions][0][charge]`, prior([{ customer_purchase_ip: '203.0.113.7' }])],
    [`${at}[prior_undisputed_transactions]`, prior([1, 2, 3].map((n) => ({ charge: `ch_${n}` })))],
    [
      `${at}[prior_undisputed_transactions][0][customer_device_id]`,
      prior([{ charge: 'ch_1', customer_device_id: 'short' }]),
    ],
  ] as const) {
    const error = await refusal(shop.stripe.disputes.update(id, forbidden({ evidence })))
    assert.deepEqual([error.statusCode, error.param], [400, param])
  }
  assert.equal((await shop.stripe.disputes.retrieve(id)).status, 'needs_response')
})
