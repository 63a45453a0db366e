// The operator's file of a card connection, and its faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#/kernel/time.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { connectionOf, shopAt, startTestAcquirer } from '../../../test/rails/acquirer/acquirer.ts'
import { probeCard } from './probe.ts'
import { checkCardMode, checkCardRefundSecrets, checkCardSettings } from './settings.ts'

const acquirer = openForTests(startTestAcquirer)

const settings = { publishableKey: 'pk_test_1', currencies: ['EUR'] }
const secrets = { secretKey: 'sk_test_1' }
const pointersOf = (more: object, given: object = secrets) => {
  const checked = checkCardSettings({ ...settings, ...more }, { ...given })
  return checked.ok ? [] : checked.faults.map(({ pointer }) => pointer)
}

test('fields that are left out get the real provider’s values', () => {
  const checked = checkCardSettings(settings, secrets)
  assert.ok(checked.ok)
  assert.deepEqual(
    [checked.settings.apiUrl, checked.settings.scriptUrl, checked.settings.presentation],
    ['https://api.stripe.com', 'https://js.stripe.com/endive/stripe.js', 'frame'],
  )
  assert.deepEqual([checked.settings.settlementDelaySeconds, checked.secrets.webhookSecrets], [0, []])
  assert.ok(checked.settings.origins.every((each) => each.startsWith('https://')))
})

test('every fault is named by its place, and none contains a secret', () => {
  const faulty: readonly (readonly [object, string])[] = [
    [{ publishableKey: 'sk_test_1' }, '/settings/publishableKey'],
    [{ publishableKey: undefined }, '/settings/publishableKey'],
    [{ currencies: [] }, '/settings/currencies'],
    [{ currencies: 'EUR' }, '/settings/currencies'],
    [{ currencies: ['EUR', 'JPY'] }, '/settings/currencies/1'],
    [{ currencies: ['USDT'] }, '/settings/currencies/0'],
    [{ apiUrl: 'http://api.example.com' }, '/settings/apiUrl'],
    [{ scriptUrl: 'nowhere' }, '/settings/scriptUrl'],
    [{ presentation: 'popup' }, '/settings/presentation'],
    [{ settlementDelaySeconds: -1 }, '/settings/settlementDelaySeconds'],
    [{ settlementDelaySeconds: '60' }, '/settings/settlementDelaySeconds'],
    // The value goes into a header of ours.
    [{ origins: ["https://x.example.com; script-src 'unsafe-inline'"] }, '/settings/origins/0'],
    [{ origins: ['https://x.example.com/path'] }, '/settings/origins/0'],
  ]
  for (const [more, pointer] of faulty) assert.ok(pointersOf(more).includes(pointer), pointer)
  assert.deepEqual(pointersOf({}, {}), ['/secrets/secretKey'])
  assert.deepEqual(pointersOf({}, { secretKey: 'pk_test_1' }), ['/secrets/secretKey'])
  const wrong = { ...secrets, webhookSecrets: ['hush-hush'] }
  assert.deepEqual(pointersOf({}, wrong), ['/secrets/webhookSecrets/0'])
  assert.ok(!JSON.stringify(checkCardSettings(settings, wrong)).includes('hush'))
  assert.equal(checkCardRefundSecrets({ secretKey: 'rk_test_1' }).ok, true)
  assert.equal(checkCardRefundSecrets({}).ok, false)
})

test('money is settled at once or up to a year later', () => {
  const year = 366 * 24 * 60 * 60
  for (const settlementDelaySeconds of [0, 1, year])
    assert.deepEqual(pointersOf({ settlementDelaySeconds }), [])
  for (const settlementDelaySeconds of [-1, year + 1, 0.5])
    assert.deepEqual(pointersOf({ settlementDelaySeconds }), ['/settings/settlementDelaySeconds'])
})

test('a local method needs the country of its accounts, and its currency among those of the connection', () => {
  const [portugal, brazil] = [
    { country: 'PT', currencies: ['EUR'] },
    { country: 'BR', currencies: ['BRL'] },
  ]
  const cases: readonly (readonly [given: object, faults: readonly string[]])[] = [
    [{ ...portugal, methods: ['IDEAL', 'MB_WAY'] }, []],
    [{ ...brazil, methods: ['BOLETO'] }, []],
    [{ ...portugal, methods: [] }, []],
    [{ ...portugal, country: undefined, methods: [] }, []],
    [{ ...portugal, country: undefined, methods: ['IDEAL'] }, ['/settings/country']],
    [{ ...portugal, methods: ['IDEAL', 'BOLETO'] }, ['/settings/methods/1']],
    [{ ...brazil, methods: ['BOLETO', 'IDEAL'] }, ['/settings/methods/1']],
    [{ ...portugal, currencies: ['USD'], methods: ['IDEAL'] }, ['/settings/methods/0']],
    [{ ...brazil, currencies: ['USD'], methods: ['BOLETO'] }, ['/settings/methods/0']],
  ]
  for (const [given, faults] of cases) assert.deepEqual(pointersOf(given), faults, JSON.stringify(given))
})

test('a key of the other mode is a fault', () => {
  const keys = { a: 'sk_live_1', b: 'rk_test_1', c: 'pk_test_1', d: undefined, e: ['sk_live_1'] }
  assert.deepEqual(
    checkCardMode('LIVE', keys).map(({ pointer }) => pointer),
    ['b', 'c'],
  )
  assert.deepEqual(
    checkCardMode('SANDBOX', keys).map(({ pointer }) => pointer),
    ['a'],
  )
})

test('the probe reports for each key whether it works, or why not', async (t) => {
  const { connection } = await shopAt(acquirer, t)
  const probes = await probeCard({ clock: systemClock }, connection)
  assert.deepEqual(
    probes.map(({ ok }) => ok),
    [true, true, true],
    JSON.stringify(probes),
  )
  const wrong = { secretKey: 'sk_test_wrong', webhookSecrets: [] }
  const broken = { ...connection, secrets: wrong, refundSecrets: wrong }
  const failing = await probeCard({ clock: systemClock }, broken)
  assert.deepEqual(
    failing.map(({ ok }) => ok),
    [false, false, false],
  )
  assert.match(failing.map((each) => each.said).join(), /HTTP 401/)
  assert.ok(!JSON.stringify(failing).includes('sk_test_wrong'))
  const live = connectionOf(connection.settings, connection.secrets, { mode: 'LIVE' })
  assert.ok((await probeCard({ clock: systemClock }, live)).every(({ ok }) => !ok))
})
