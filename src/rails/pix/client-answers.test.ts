// What a PSP's answers mean to the client: of statuses, of removals, and of pages.
import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { testClock } from '#/kernel/time.ts'
import { pemSecrets, startTestPsp, type PspCall } from '../../../test/rails/pix/psp.ts'
import { all, clientOf } from '../../../test/rails/pix/rail.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { eachPage, PixError } from './client.ts'
import { findProfile } from './profile.ts'

const now = new Date('2026-11-29T12:00:00Z')

/** A client at a PSP that answers so, except for tokens. */
async function psp(t: TestContext, reply: (call: PspCall) => Reply) {
  const started = await startTestPsp((call) => (call.path === '/oauth/token' ? undefined : reply(call)))
  t.after(() => started.stop())
  const settings = {
    profile: 'bacen',
    baseUrl: started.url,
    tokenUrl: `${started.url}/oauth/token`,
    pixKey: 'ana@example.com',
    receiverName: 'Ana',
    receiverCity: 'Recife',
    ca: started.ca,
  }
  const calls = () => started.calls.filter(({ path }) => path !== '/oauth/token')
  return { client: clientOf(t, settings, pemSecrets, { clock: testClock(now) }), calls }
}

const txid = 'a'.repeat(32)
const cob = (status: string) => ({ status: 200, body: { txid, status, valor: { original: '10.00' } } })

test('a status refuses the charge, tells that nothing was done, or leaves it unknown', async (t) => {
  let status = 0
  const { client } = await psp(t, () => ({ status }))
  for (const [each, outcome] of [
    [300, 'unknown'],
    [399, 'unknown'],
    [400, 'refused'],
    [401, 'unavailable'],
    [402, 'refused'],
    [403, 'unavailable'],
    [404, 'refused'],
    [408, 'unknown'],
    [409, 'refused'],
    [429, 'unavailable'],
    [430, 'refused'],
    [499, 'refused'],
    [500, 'unknown'],
    [503, 'unavailable'],
    [504, 'unknown'],
  ] as const) {
    status = each
    const error = await errorOf(client.putWebhook('k', 'https://x.example'))
    assert.deepEqual([error.outcome, error instanceof PixError && error.status], [outcome, each])
  }
  status = 299
  await client.putWebhook('k', 'https://x.example')
})

test('404 and 410 say that there is none; any other refusal is an error', async (t) => {
  let status = 0
  const { client } = await psp(t, () => ({ status }))
  for (const each of [404, 410]) {
    status = each
    assert.equal(await client.getWebhook('k'), undefined)
    await client.removeWebhook('k')
  }
  for (const each of [405, 411]) {
    status = each
    assert.equal((await errorOf(client.getWebhook('k'))).outcome, 'refused')
    assert.equal((await errorOf(client.removeWebhook('k'))).outcome, 'refused')
  }
})

test('how long to wait is told in seconds or as a date, and is never less than nothing', async (t) => {
  let wait: string | undefined
  const headers = () => (wait === undefined ? {} : { headers: { 'retry-after': wait } })
  const { client } = await psp(t, () => ({ status: 503, ...headers() }))
  for (const [text, ms] of [
    [undefined, undefined],
    ['7', 7_000],
    ['Sun, 29 Nov 2026 12:00:09 GMT', 9_000],
    ['Sun, 29 Nov 2026 11:59:59 GMT', 0],
    ['soon', undefined],
  ] as const) {
    wait = text
    const error = await errorOf(client.getWebhook('k'))
    assert.equal(error instanceof PixError ? error.retryAfterMs : 'none', ms, String(text))
  }
})

test('a charge that is not removed was paid, or is gone; if it is still open, the refusal is real', async (t) => {
  const refused: Reply = { status: 400, body: { title: 'no' } }
  const cases: readonly (readonly [patch: Reply, get: Reply, end: string])[] = [
    [cob('REMOVIDA_PELO_USUARIO_RECEBEDOR'), refused, 'removed'],
    [{ status: 404 }, refused, 'gone'],
    [refused, { status: 404 }, 'gone'],
    [refused, cob('CONCLUIDA'), 'already_paid'],
    [refused, cob('REMOVIDA_PELO_PSP'), 'gone'],
    [refused, cob('ATIVA'), 'refused'],
    [refused, cob('SOMETHING_NEW'), 'refused'],
    [{ status: 500 }, cob('CONCLUIDA'), 'unknown'],
    [{ status: 200, cut: true }, cob('CONCLUIDA'), 'unknown'],
  ]
  let [patch, get] = [refused, refused]
  const { client, calls } = await psp(t, ({ method }) => (method === 'PATCH' ? patch : get))
  for (const [patched, got, end] of cases) {
    ;[patch, get] = [patched, got]
    const removing = client.removeCharge(txid)
    const ended = ['removed', 'gone', 'already_paid'].includes(end)
      ? await removing
      : (await errorOf(removing)).outcome
    assert.equal(ended, end, JSON.stringify([patched, got]))
  }
  assert.deepEqual(JSON.parse(calls()[0]?.body ?? ''), { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
})

test('a token that is denied with 401 is not used again', async (t) => {
  const denied = new Set<unknown>()
  const { client, calls } = await psp(t, ({ headers }) => {
    denied.add(headers['authorization'])
    return { status: 401 }
  })
  for (let time = 0; time < 3; time++)
    assert.equal((await errorOf(client.getWebhook('k'))).outcome, 'unavailable')
  assert.equal(denied.size, calls().length)
})

describe('pages', () => {
  const profile = must(findProfile('bacen'), 'a profile')
  const span = { from: now, to: now }
  type Page = { readonly pages?: number; readonly length: number }

  /** The numbers of the pages that are asked for, at a PSP that answers so. */
  async function asked(answer: (page: number) => Page): Promise<readonly number[]> {
    const numbers: number[] = []
    const pages = eachPage(profile, span, async (query) => {
      const page = Number(query.get('paginacao.paginaAtual'))
      numbers.push(page)
      return answer(page)
    })
    for await (const _page of pages);
    return numbers
  }

  test('end with the last that the PSP reports, else with an empty one', async () => {
    assert.deepEqual(await asked(() => ({ pages: 3, length: 5 })), [0, 1, 2])
    assert.deepEqual(await asked(() => ({ pages: 1, length: 0 })), [0])
    assert.deepEqual(await asked(() => ({ pages: 0, length: 0 })), [0])
    assert.deepEqual(await asked((page) => ({ length: page < 2 ? 1 : 0 })), [0, 1, 2])
    // An empty page among others does not end the list.
    assert.deepEqual(await asked((page) => ({ pages: 3, length: page === 1 ? 0 : 1 })), [0, 1, 2])
  })

  test('are ten thousand at most', async () => {
    let pages = 0
    const endless = asked(() => {
      pages += 1
      return { length: 1 }
    })
    assert.equal((await errorOf(endless)).outcome, 'unknown')
    assert.equal(pages, 10_000)
  })

  test('are of all that came, or of what was returned in part', async (t) => {
    const { client, calls } = await psp(t, () => ({ status: 200, body: {} }))
    await all(client.listReceived(span))
    await all(client.listReceived({ ...span, onlyReturned: true }))
    assert.deepEqual(
      calls().map(({ path }) => new URL(`https://x${path}`).searchParams.get('devolucaoPresente')),
      [null, 'true'],
    )
  })
})
