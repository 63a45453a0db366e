// The rehearsal: a script of deliveries that is sent to a merchant's own server, and what is judged of its answers. It is no part of the
// books: its payments exist in the bodies that are sent and nowhere else.
import { given } from '#/kernel/given.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import { caseTexts, type CaseName } from './case-texts.ts'

export type RehearsalId = Id<'rehearsal'>

/**
 * - PASSED: every case passed.
 * - FAILED: a case failed.
 * - INCOMPLETE: no case failed, and not every case could be judged.
 */
export const rehearsalStatuses = ['RUNNING', 'PASSED', 'FAILED', 'INCOMPLETE', 'CANCELED'] as const
export type RehearsalStatus = (typeof rehearsalStatuses)[number]

/**
 * - NOT_JUDGED: it was played, and its result could not be observed.
 * - SKIPPED: it was not played, or not to its end.
 */
export const caseStatuses = ['WAITING', 'RUNNING', 'PASSED', 'FAILED', 'NOT_JUDGED', 'SKIPPED'] as const
export type CaseStatus = (typeof caseStatuses)[number]

/** One request that was sent, and what was answered. */
export type SentDelivery = {
  /** What was special about it, in plain words. */
  readonly what: string
  readonly type: string
  readonly durationMs: number
  readonly responseStatus?: number
  /** Of an answer that was not expected: its beginning. */
  readonly responseBody?: string
  /** Why there was no answer. */
  readonly error?: string
}

export type CaseResult = {
  readonly name: CaseName
  readonly status: CaseStatus
  readonly observed?: string
  readonly deliveries: readonly SentDelivery[]
}

export type Rehearsal = {
  readonly merchantId: MerchantId
  readonly id: RehearsalId
  readonly status: RehearsalStatus
  readonly url: string
  readonly stateUrl: string | null
  readonly seed: number
  readonly cases: readonly CaseResult[]
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** The end of a rehearsal with these results. */
export function endOf(cases: readonly CaseResult[]): 'PASSED' | 'FAILED' | 'INCOMPLETE' {
  if (cases.some(({ status }) => status === 'FAILED')) return 'FAILED'
  return cases.every(({ status }) => status === 'PASSED') ? 'PASSED' : 'INCOMPLETE'
}

/** The cases with those that have no result skipped, because of `why`. */
export function skipRest(cases: readonly CaseResult[], why: string): readonly CaseResult[] {
  return cases.map((each) => (isOpen(each) ? { ...each, status: 'SKIPPED', observed: why } : each))
}

/** Whether a case has no result yet. */
export function isOpen({ status }: CaseResult): boolean {
  return status === 'WAITING' || status === 'RUNNING'
}

/** The rehearsal without its cases, as lists show it. */
export function rehearsalSummary(rehearsal: Rehearsal) {
  const { stateUrl, endedAt } = rehearsal
  const count = (...statuses: readonly CaseStatus[]) =>
    shownCases(rehearsal).filter(({ status }) => statuses.includes(status)).length
  return {
    id: rehearsal.id,
    mode: 'SANDBOX' as const,
    status: rehearsal.status,
    url: rehearsal.url,
    ...(stateUrl === null ? {} : { stateUrl }),
    seed: rehearsal.seed,
    passed: count('PASSED'),
    failed: count('FAILED'),
    notJudged: count('NOT_JUDGED', 'SKIPPED'),
    createdAt: rehearsal.createdAt.toISOString(),
    ...(endedAt === null ? {} : { endedAt: endedAt.toISOString() }),
  }
}

/** The rehearsal as its own GET shows it. */
export function rehearsalRecord(rehearsal: Rehearsal) {
  const cases = shownCases(rehearsal).map(({ name, status, observed, deliveries }) => {
    const { title, expected, fix, docs } = caseTexts[name]
    return {
      case: name,
      title,
      status,
      expected,
      ...given({ observed }),
      ...(status === 'FAILED' ? { fix } : {}),
      docs,
      deliveries,
    }
  })
  return { ...rehearsalSummary(rehearsal), cases }
}

/** A case that was under way when the rehearsal ended has no result. */
function shownCases({ status, cases }: Rehearsal): readonly CaseResult[] {
  if (status === 'RUNNING') return cases
  return skipRest(cases, status === 'CANCELED' ? 'The rehearsal was canceled first.' : timeOver)
}

/** Why cases are skipped when a rehearsal took too long, or no worker went on with it. */
export const timeOver = 'The time of the rehearsal was over first.'
