// `rehearse` as a process, at a running sandbox and servers of a merchant that are right, wrong, or silent.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { before, test } from 'node:test'
import { caseNames } from '#/rehearsals/case-texts.ts'
import { webhookSecretBytes } from '#/sandbox/verify-webhook.ts'
import { startReceiver } from '../receiver.ts'
import { openShop, type ShopFault } from '../rehearsal-shop.ts'
import { main, type Installation } from './installation.ts'
import { sharedInstallation } from './shared-installation.ts'

let installation: Installation

before(async () => {
  installation = await sharedInstallation()
})

const shopOf = (fault?: ShopFault) =>
  openShop(webhookSecretBytes(installation.sandbox().webhookSecret), fault)

type Ended = {
  readonly id: string
  readonly status: string
  readonly seed: number
  readonly url: string
  readonly cases: readonly { readonly case: string; readonly status: string }[]
}

test('a right server passes every case; without a URL the last one is rehearsed again', async () => {
  await using shop = await shopOf()
  const args = ['--url', shop.url, '--state-url', shop.stateUrl, '--seed', '7']
  const first = await installation.run('rehearse', ...args, '--json')
  assert.equal(first.code, 0, first.output)
  const { status, seed, cases } = JSON.parse(first.output) as Ended
  assert.deepEqual([status, seed], ['PASSED', 7])
  assert.deepEqual(
    cases.map((each) => [each.case, each.status]),
    caseNames.map((name) => [name, 'PASSED']),
  )
  const again = await installation.run('rehearse', '--case', 'good-delivery,PAID_TWICE')
  assert.equal(again.code, 0, again.output)
  assert.ok(again.output.includes(shop.url) && again.output.includes(shop.stateUrl))
  for (const name of ['GOOD_DELIVERY', 'PAID_TWICE'])
    assert.match(again.output, new RegExp(`^\\S ${name} `, 'm'))
  assert.match(again.output, /^PASSED: 2 passed, 0 failed, 0 not judged\. --seed \d+ plays/m)
})

test('people see what was expected, what was observed, what to change, and what was not judged', async () => {
  await using shop = await shopOf('refuses unknown types')
  const { code, output } = await installation.run(
    'rehearse',
    '--url',
    shop.url,
    '--case',
    'NEW_TYPE,PAID_TWICE',
  )
  assert.equal(code, 1, output)
  assert.match(output, /^NEW_TYPE: A type that is not known is accepted$/m)
  assert.match(output, /Expected {2}A 2xx/)
  assert.match(output, /Observed {2}A type that does not exist yet: answered 400\./)
  assert.match(output, /Fix {7}Ignore types that you do not know/)
  assert.match(output, /More {6}docs\/webhooks\.md#events/)
  assert.match(output, /^Not judged: .*stateUrl/m)
  assert.match(output, /^FAILED: 0 passed, 1 failed, 1 not judged\./m)
})

test('what is not judged is no pass, and a wrong option is refused before anything is sent', async () => {
  await using shop = await shopOf()
  const { code, output } = await installation.run(
    'rehearse',
    '--url',
    shop.url,
    '--case',
    'PAID_TWICE',
    '--json',
  )
  assert.deepEqual([code, (JSON.parse(output) as Ended).status], [1, 'INCOMPLETE'])
  const sent = shop.received.length
  for (const [args, message] of [
    [['--seed', '4294967296'], /--seed 4294967296 is no number/],
    [['--seed', 'x'], /--seed x is no number/],
    [['--case', 'GOOD'], /"GOOD" is no case\. They are GOOD_DELIVERY/],
    [['now'], /has no use for "now"/],
  ] as const) {
    const refused = await installation.run('rehearse', '--url', shop.url, ...args)
    assert.equal(refused.code, 2, refused.output)
    assert.match(refused.output, message)
  }
  const nowhere = await installation.run('rehearse', '--url', 'https://10.0.0.1/')
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.output, /answered 400: \/url must lead to a public address/)
  assert.equal(shop.received.length, sent)
})

test('Ctrl-C cancels the rehearsal', async () => {
  await using receiver = await startReceiver(() => undefined)
  const child = spawn(process.execPath, [main, 'rehearse', '--url', receiver.origin, '--json'], {
    env: { ...process.env, VINTEM_DATA_DIR: installation.dataDir, PORT: String(installation.port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let out = ''
  child.stdout.on('data', (part: Buffer) => (out += part.toString('utf8')))
  await receiver.until((calls) => calls.length === 1)
  child.kill('SIGINT')
  assert.deepEqual(await ended, [1, null])
  const { status, cases } = JSON.parse(out) as Ended
  assert.equal(status, 'CANCELED')
  assert.ok(cases.every((each) => each.status === 'SKIPPED'))
})
