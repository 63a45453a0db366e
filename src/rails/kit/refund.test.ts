// The steps of a refund at a provider, with a provider that behaves as the test defines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { AnswerError } from './answer-error.ts'
import { refundFailed, sendRefund, type RefundSteps } from './refund.ts'

const order: RefundOrder = {
  id: newId<'refund'>(),
  attempt: {
    id: newId<'attempt'>(),
    merchantId: newId<'merchant'>(),
    paymentId: newId<'payment'>(),
  },
  connection: 'a1-test' as ConnectionId,
  paidRef: 'paid',
  amount: { minor: 100n, currency: 'BRL' },
}

type Does = 'is there' | 'is not there' | 'is away' | 'refuses' | 'says nothing'

/** `calls`: what was called, in order. `onAsk` and `finds`: what the provider does at each call. */
function provider(onAsk: Does, ...finds: readonly Does[]) {
  const calls: string[] = []
  const left = [...finds]
  const receipt = (name: string) => [{ providerRef: name } as Receipt]
  const act = (does: Does | undefined): string | undefined => {
    if (does === 'is away') throw new ProviderError('unavailable', 'no connection')
    if (does === 'refuses') throw new AnswerError('refused', 'no', Buffer.from('no'))
    return does === 'is there' ? 'found' : undefined
  }
  const steps: RefundSteps<string, AnswerError> = {
    async find() {
      calls.push('find')
      return act(left.shift())
    },
    async ask() {
      calls.push('ask')
      return act(onAsk)
    },
    isRefusal: (error): error is AnswerError => error.outcome === 'refused',
    receiptsOf: receipt,
    failed: () => ({ providerRef: 'failed' }) as Receipt,
  }
  return { calls, steps }
}

for (const { name, onAsk, finds, again, calls, ends } of [
  {
    name: 'is requested the first time',
    onAsk: 'is there',
    finds: [],
    again: false,
    calls: ['ask'],
    ends: 'found',
  },
  {
    name: 'that is there already is not requested again',
    onAsk: 'refuses',
    finds: ['is there'],
    again: true,
    calls: ['find'],
    ends: 'found',
  },
  {
    name: 'that is not there is requested again',
    onAsk: 'is there',
    finds: ['is not there'],
    again: true,
    calls: ['find', 'ask'],
    ends: 'found',
  },
  {
    name: 'whose answer says nothing is looked up',
    onAsk: 'says nothing',
    finds: ['is there'],
    again: false,
    calls: ['ask', 'find'],
    ends: 'found',
  },
  {
    name: 'that is refused and not there has failed',
    onAsk: 'refuses',
    finds: ['is not there'],
    again: false,
    calls: ['ask', 'find'],
    ends: 'failed',
  },
  {
    name: 'that is refused and there is done: the refusal was of a repeated call',
    onAsk: 'refuses',
    finds: ['is there'],
    again: false,
    calls: ['ask', 'find'],
    ends: 'found',
  },
] as const)
  test(`a refund ${name}`, async () => {
    const at = provider(onAsk, ...finds)
    const receipts = await sendRefund(order, again, at.steps, silentLog)
    assert.deepEqual(at.calls, calls)
    assert.deepEqual(
      receipts.map(({ providerRef }) => providerRef),
      [ends],
    )
  })

test('a refund that was requested and cannot be looked up may have been made: it is unknown, not unsent', async () => {
  for (const onAsk of ['says nothing', 'refuses'] as const)
    await assert.rejects(sendRefund(order, false, provider(onAsk, 'is away').steps, silentLog), {
      outcome: 'unknown',
    })
  // Before the call it is certain that nothing was sent this time.
  await assert.rejects(sendRefund(order, true, provider('is there', 'is away').steps, silentLog), {
    outcome: 'unavailable',
  })
})

test('nothing is requested when the money may not leave', async () => {
  const at = provider('is there')
  await assert.rejects(sendRefund({ ...order, mayLeave: async () => false }, false, at.steps, silentLog), {
    outcome: 'unavailable',
  })
  assert.deepEqual(at.calls, [])
})

test('only a refusal that the provider’s own class of it names ends a refund; any other error is the error of the call', async () => {
  const errors: readonly (readonly [error: Error, isNamed: boolean])[] = [
    [new AnswerError('unknown', 'may be done', Buffer.alloc(0)), true],
    [new AnswerError('refused', 'of something else', Buffer.alloc(0)), false],
    [new ProviderError('refused', 'no answer of the provider'), true],
    [new Error('a bug'), true],
  ]
  for (const [error, isNamed] of errors) {
    const at = provider('is there', 'is not there')
    const steps: typeof at.steps = {
      ...at.steps,
      ask: () => Promise.reject(error),
      isRefusal: (_error): _error is AnswerError => isNamed,
    }
    const thrown = await sendRefund(order, false, steps, silentLog).catch((each: unknown) => each)
    assert.equal(thrown, error)
    assert.deepEqual(at.calls, [], 'nothing is looked up')
  }
})

test('an error of the look-up that leaves the end unknown, or is no provider’s, is thrown as it is', async () => {
  for (const error of [new ProviderError('unknown', 'cut'), new Error('a bug')]) {
    const steps = { ...provider('says nothing').steps, find: () => Promise.reject(error) }
    const thrown = await sendRefund(order, false, steps, silentLog).catch((each: unknown) => each)
    assert.equal(thrown, error)
  }
})

test('a refusal is told to the operator with what the provider said, without what the merchant wrote', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const ask = () => Promise.reject(new AnswerError('refused', 'not for Ana Souza', Buffer.alloc(0)))
  const steps = { ...provider('refuses', 'is not there').steps, ask }
  await sendRefund({ ...order, reason: 'Ana Souza' }, false, steps, log)
  const { refund, said, msg } = JSON.parse(lines.join()) as Record<string, unknown>
  assert.deepEqual([refund, said, msg], [order.id, 'not for [hidden]', 'a provider refuses a refund'])
})

test('a refund that failed is one receipt of its order, which counts once', () => {
  const failure = { code: 'refused_by_bank', message: 'no' }
  const said = { method: 'PIX', providerRef: 'd1', failure, evidence: Buffer.alloc(0) } as const
  const { id, attempt, connection, amount } = order
  const { happenedAt: _, ...receipt } = refundFailed(order, systemClock, said)
  assert.deepEqual(receipt, {
    ...said,
    attempt,
    connection,
    amount,
    refund: id,
    outcome: 'refund_failed',
    occurrence: 1,
  })
})
