// What a command says when another person has to approve it.
import type { Log } from '#/kernel/log.ts'
import type { Proposal } from '#/operator/proposal-queries.ts'
import type { Call } from './command.ts'
import { whoDecides } from './decision.ts'
import { printRecord } from './table.ts'

/** For all requests: they wait in one list. */
export function sayProposed({ terminal, json }: Call, log: Log, proposal: Proposal): void {
  const { id, subject, reason } = proposal
  log.info(
    { request: id, about: subject, by: whoDecides(), why: reason },
    'a person requested a decision of another person',
  )
  if (json) return printRecord(terminal, { request: id, about: subject }, { labels: {}, json })
  terminal.out(
    `${terminal.paint.good(terminal.symbols.done)} Another person approves it: ./vintem suspense approve ${id}`,
  )
}
