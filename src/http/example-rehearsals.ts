// The rehearsals that the examples of openapi.json show.
import { caseTexts, type CaseName } from '#/rehearsals/case-texts.ts'

export const rehearsalSummary = {
  id: '019aa3c2-e777-7006-8f66-c17283940516',
  mode: 'SANDBOX',
  status: 'FAILED',
  url: 'https://shop.example.com/webhooks',
  stateUrl: 'https://shop.example.com/rehearsal-state',
  seed: 7,
  passed: 1,
  failed: 1,
  notJudged: 0,
  createdAt: '2026-11-21T02:05:00.000Z',
  endedAt: '2026-11-21T02:05:01.204Z',
} as const

const textsOf = (name: CaseName) => {
  const { title, expected, docs } = caseTexts[name]
  return { case: name, title, expected, docs }
}

export const rehearsal = {
  ...rehearsalSummary,
  cases: [
    {
      ...textsOf('GOOD_DELIVERY'),
      status: 'PASSED',
      observed: 'One delivery; the slowest answer came after 12 ms.',
      deliveries: [
        { what: 'payment.completed', type: 'payment.completed', durationMs: 12, responseStatus: 204 },
      ],
    },
    {
      ...textsOf('NEW_TYPE'),
      status: 'FAILED',
      observed: 'A type that does not exist yet: answered 400.',
      fix: caseTexts.NEW_TYPE.fix,
      deliveries: [
        {
          what: 'a type that does not exist yet',
          type: 'rehearsal.new_type',
          durationMs: 9,
          responseStatus: 400,
          responseBody: 'unknown event type',
        },
      ],
    },
  ],
} as const

const { endedAt: _, ...unended } = rehearsalSummary

export const startedRehearsal = {
  ...unended,
  status: 'RUNNING',
  passed: 0,
  failed: 0,
  cases: (['GOOD_DELIVERY', 'NEW_TYPE'] as const).map((name) => ({
    ...textsOf(name),
    status: 'WAITING' as const,
    deliveries: [],
  })),
} as const
