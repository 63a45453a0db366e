// What a command says when another person has to approve it.
import type { Proposal } from '#/operator/proposal-queries.ts'
import { sayDone, type Call } from './command.ts'
import { whoDecides } from './decision.ts'
import { printRecord } from './table.ts'

/** For all requests: they wait in one list. */
export function sayProposed({ terminal, json, log }: Call, { id, subject, reason }: Proposal): void {
  log.info(
    { request: id, about: subject, by: whoDecides(), why: reason },
    'a person requested a decision of another person',
  )
  if (json) return printRecord(terminal, { request: id, about: subject }, { labels: {}, json })
  sayDone(terminal, `Another person approves it: ./vintem suspense approve ${id}`)
}
