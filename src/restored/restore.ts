// The repair after a restore to an earlier moment: its steps, in their order. Each can be run again, and then continues where
// it stopped.
import type { ConnectionId, Id } from '#/kernel/id.ts'

export type RestoreId = Id<'restore'>

/** What a person reviews. */
export const subjects = ['KEYS', 'ROLES', 'LIMITS', 'DESTINATIONS', 'MONEY_OUT', 'MONEY_IN'] as const
export type Subject = (typeof subjects)[number]

/** What a restore puts in force again: until these are reviewed no process starts. */
export const revivedSubjects = [
  'KEYS',
  'ROLES',
  'LIMITS',
  'DESTINATIONS',
] as const satisfies readonly Subject[]
export type RevivedSubject = (typeof revivedSubjects)[number]

/** A comparison of what providers say left with the books. */
export type ComparisonId = Id<'comparison'>

/** A connection by which money leaves, and whether as withdrawals or as refunds. Each has its own list. */
export type SourceName = { readonly kind: 'WITHDRAWAL' | 'REFUND'; readonly connection: ConnectionId }

/** A list that was not compared to its end. */
export type Incomplete = SourceName & { readonly why: string }

export type StepName = 'epoch' | 'numbers' | 'told' | Lowercase<Subject> | 'open'

export type Step = {
  readonly name: StepName
  readonly isDone: boolean
  readonly at: Date | null
  readonly note: string | null
}

/** When the steps that need no review were done. */
type Reached = {
  readonly at: Date
  readonly jumpedAt: Date | null
  readonly notifiedAt: Date | null
  readonly openedAt: Date | null
}

/** All steps of a repair. */
export function stepsOf(
  { at, jumpedAt, notifiedAt, openedAt }: Reached,
  reviews: readonly { readonly subject: Subject; readonly at: Date; readonly note: string | null }[],
): readonly Step[] {
  const done = (name: StepName, when: Date | null, note: string | null = null): Step => ({
    name,
    isDone: when !== null,
    at: when,
    note,
  })
  return [
    done('epoch', at),
    done('numbers', jumpedAt),
    done('told', notifiedAt),
    ...subjects.map((subject) => {
      const found = reviews.find((each) => each.subject === subject)
      return done(subject.toLowerCase() as StepName, found?.at ?? null, found?.note ?? null)
    }),
    done('open', openedAt),
  ]
}

/** The first step that is not done; undefined: all are. */
export function nextStep(steps: readonly Step[]): StepName | undefined {
  return steps.find(({ isDone }) => !isDone)?.name
}
