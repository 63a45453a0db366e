// Ids that a test reads from an answer or a row.
import type { Id } from '#/kernel/id.ts'

/** The text as an id of the kind that its place expects. */
export function asId<Kind extends string>(text: unknown): Id<Kind> {
  return String(text) as Id<Kind>
}
