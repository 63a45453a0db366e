// When a payout schedule pays: the next day or week at its time, as the clocks of its zone show it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weekdays } from '#/contract/payout-schedules.ts'
import { addMs, dayMs, hourMs, minuteMs } from '#/kernel/time.ts'
import { fc } from '../../test/chance.ts'
import { nextAfter, nextDue, type ScheduleRule } from './schedule.ts'

const amounts = { keep: 0, minimum: 1 }
const zones = [
  'America/Sao_Paulo',
  'Europe/Lisbon',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
]

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const regular: fc.Arbitrary<Extract<ScheduleRule, { time: string }>> = fc
  .oneof(
    fc.record({ rhythm: fc.constant('DAILY' as const), time, timeZone: fc.constantFrom(...zones) }),
    fc.record({
      rhythm: fc.constant('WEEKLY' as const),
      weekday: fc.constantFrom(...weekdays),
      time,
      timeZone: fc.constantFrom(...zones),
    }),
  )
  .map((rule) => ({ ...rule, ...amounts }))
const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })

/** Date, time and weekday that a clock in the zone shows, by the formatter of the platform. */
function shown(at: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(at)
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(at).toUpperCase()
  return { date: parts.slice(0, 10), time: parts.slice(-5), weekday }
}

test('the next time is after now, within a day or a week, on the weekday and at the time of the zone', () => {
  fc.assert(
    fc.property(regular, instants, (rule, now) => {
      const due = nextDue(rule, now)
      const within = (rule.rhythm === 'DAILY' ? dayMs : 7 * dayMs) + 25 * hourMs
      assert.ok(due > now && due.getTime() - now.getTime() <= within, due.toISOString())
      const clock = shown(due, rule.timeZone)
      // On the day on which clocks are put forward, a time that does not exist is up to an hour later.
      const isGap =
        shown(addMs(due, -61 * minuteMs), rule.timeZone).time < rule.time && clock.time > rule.time
      assert.ok(clock.time === rule.time || isGap, `${clock.time} instead of ${rule.time}`)
      if (rule.rhythm === 'WEEKLY') assert.equal(clock.weekday, rule.weekday)
    }),
    { numRuns: 500 },
  )
})

test('over eight weeks each day or week has one run, and a worker that stood still makes up for one', () => {
  fc.assert(
    fc.property(
      regular,
      instants,
      fc.uniqueArray(fc.integer({ min: 0, max: 8 * 7 * 24 }), { maxLength: 40 }),
      (rule, start, stood) => {
        let due = nextDue(rule, start)
        const runs: Date[] = []
        for (let hour = 0; hour < 8 * 7 * 24; hour += 1) {
          const now = addMs(start, hour * hourMs)
          if (stood.includes(hour) || due > now) continue
          runs.push(now)
          due = nextAfter(rule, 'REQUESTED', now)
          assert.ok(due > now)
        }
        const spans = runs.map((at, nth) => at.getTime() - (runs[nth - 1] ?? at).getTime()).slice(1)
        // An hour in which nothing ran makes a run late, never double; one hour more or less for the clocks of the zone.
        const usual = rule.rhythm === 'DAILY' ? 1 : 7
        for (const span of spans) {
          assert.ok(span >= usual * dayMs - 42 * hourMs && span <= usual * dayMs + 42 * hourMs)
        }
        const most = rule.rhythm === 'DAILY' ? 57 : 9
        assert.ok(runs.length <= most && runs.length >= most - 4, `${runs.length} runs`)
      },
    ),
    { numRuns: 100 },
  )
})

test('an obstacle that passes is tried again a quarter of an hour later, and not beyond the next regular time', () => {
  const rule: ScheduleRule = { rhythm: 'DAILY', time: '06:00', timeZone: 'UTC', ...amounts }
  const at = (text: string) => new Date(`2026-11-23T${text}:00Z`)
  assert.deepEqual(nextAfter(rule, 'FROZEN', at('06:00')), at('06:15'))
  assert.deepEqual(nextAfter(rule, 'NOT_AVAILABLE', at('06:00')), at('06:15'))
  assert.deepEqual(nextAfter(rule, 'NOT_AVAILABLE', at('05:50')), at('06:00'))
  assert.deepEqual(nextAfter(rule, 'NOTHING_TO_PAY', at('05:50')), at('06:00'))
  assert.deepEqual(nextAfter({ rhythm: 'ABOVE', above: 1, ...amounts }, 'FROZEN', at('06:00')), at('06:15'))
  assert.deepEqual(
    nextAfter({ rhythm: 'ABOVE', above: 1, ...amounts }, 'REQUESTED', at('06:00')),
    at('06:01'),
  )
})
