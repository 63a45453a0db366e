// From the events of a span, and from a callback, to receipts: each object is read once, and one that cannot be read holds up no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { outcomes } from '../../../test/rails/acquirer/acquirer.ts'
import { cardError, openAt } from '../../../test/rails/acquirer/client.ts'
import { event, intent, session } from '../../../test/rails/acquirer/objects.ts'
import { all } from '../../../test/rails/rail.ts'
import type { CardClient } from './client.ts'
import { NonsenseError } from './fields.ts'
import { createLister, readSignal } from './follow.ts'
import { parseHint, parseIntent, parseSession, type Hint, type Target } from './wire.ts'

const connection = '00-c' as ConnectionId
const span = { from: new Date(0), to: new Date(1) }

/** What follows the events of a provider that answers so; `lines`: the log from warnings on. */
function followed(answers: Partial<CardClient>) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const deps = { open: openAt(answers), clock: systemClock, log }
  const lister = createLister(deps)
  return {
    lines,
    list: () => all(lister(connection, span)),
    pages: async () => {
      const found: number[] = []
      for await (const page of lister(connection, span)) found.push(page.length)
      return found
    },
    read: (sent: unknown) =>
      readSignal(deps, {
        connection,
        receivedAt: systemClock.now(),
        body: Buffer.from(JSON.stringify(sent)),
      }),
  }
}

const hint = (id: string, kind: Target['kind'], name: string): Hint => ({
  id: `evt_${id}`,
  type: 'payment_intent.succeeded',
  target: { kind, id: name },
})
async function* pagesOf(...pages: readonly (readonly Hint[])[]) {
  yield* pages
}
const paid = (id: string) => ({
  value: must(parseIntent(intent({ id })), 'ours'),
  raw: Buffer.from(id),
})

test('each object of a span is read once, whatever number of events and pages name it', async () => {
  const asked: string[] = []
  const { list } = followed({
    listEvents: () =>
      pagesOf(
        [hint('3', 'intent', 'pi_1'), { id: 'evt_x', type: 'a' }, hint('2', 'intent', 'pi_1')],
        [hint('1', 'intent', 'pi_1'), hint('0', 'intent', 'pi_2')],
      ),
    getIntent: async (id) => {
      asked.push(id)
      return paid(id)
    },
  })
  assert.deepEqual(
    (await list()).map(({ providerRef }) => providerRef),
    ['pi_1', 'pi_2'],
  )
  assert.deepEqual(asked, ['pi_1', 'pi_2'])
})

test('an object is read again only when a later event names it; meanwhile its receipts are the same', async () => {
  const asked: string[] = []
  let latest = '1'
  const { list } = followed({
    listEvents: () => pagesOf([hint(latest, 'intent', 'pi_1')]),
    getIntent: async (id) => {
      asked.push(id)
      return paid(id)
    },
  })
  const [first, second] = [await list(), await list()]
  assert.deepEqual([second, asked.length], [first, 1])
  latest = '2'
  await list()
  assert.equal(asked.length, 2)
})

test('objects are read eight at a time', async () => {
  const hints = Array.from({ length: 17 }, (_, index) => hint(String(index), 'intent', `pi_${index}`))
  const { pages } = followed({
    listEvents: () => pagesOf(hints.slice(0, 8), hints.slice(8)),
    getIntent: async (id) => paid(id),
  })
  assert.deepEqual(await pages(), [8, 8, 1])
})

test('an object that the provider does not know, or whose answer makes no sense, is told and holds up no other', async () => {
  const lists = (error: Error) =>
    followed({
      listEvents: () => pagesOf([hint('1', 'intent', 'pi_1'), hint('2', 'intent', 'pi_2')]),
      getIntent: async (id) => {
        if (id === 'pi_1') throw error
        return paid(id)
      },
    })
  for (const [error, said] of [
    [cardError('refused', {}, { status: 404 }), 'the card provider does not know the object of its event'],
    [new NonsenseError('payment_intent', 'is none'), 'a card payment cannot be read'],
  ] as const) {
    const { list, lines } = lists(error)
    assert.deepEqual(
      (await list()).map(({ providerRef }) => providerRef),
      ['pi_2'],
    )
    const { msg, id } = JSON.parse(lines.join()) as Record<string, unknown>
    assert.deepEqual([msg, id], [said, 'pi_1'])
  }
  for (const error of [
    cardError('unavailable', {}, { status: 401 }),
    cardError('refused', {}, { status: 405 }),
    new ProviderError('unavailable', 'away'),
  ]) {
    const thrown = await lists(error)
      .list()
      .catch((each: unknown) => each)
    assert.equal(thrown, error)
  }
})

test('a callback that names no object of ours reports nothing', async () => {
  const { read } = followed({ getIntent: async (id) => paid(id) })
  for (const sent of [{ hello: 'world' }, event('a', { object: 'customer', id: 'cus_1' })])
    assert.deepEqual(await read(sent), [])
  assert.deepEqual(outcomes(await read(event('a', { object: 'payment_intent', id: 'pi_1' }))), ['paid'])
  assert.equal(parseHint(event('a', {}))?.target, undefined)
})

test('the payment of a session is the one that came with it, or is fetched; that of another shop is not ours', async () => {
  const of = async (payment_intent: unknown) => {
    const asked: string[] = []
    const { read } = followed({
      getSession: async () => ({
        value: must(parseSession(session({ payment_intent })), 'ours'),
        raw: Buffer.from('{}'),
      }),
      getIntent: async (id) => {
        asked.push(id)
        return paid(id)
      },
    })
    const receipts = await read(event('a', { object: 'checkout.session', id: 'cs_test_a1b2c3' }))
    return [outcomes(receipts).join(), asked.join()]
  }
  assert.deepEqual(await of(intent()), ['paid', ''])
  assert.deepEqual(await of('pi_7'), ['paid', 'pi_7'])
  assert.deepEqual(await of(intent({ metadata: {} })), ['', ''])
  assert.deepEqual(await of(null), ['', ''])
})
