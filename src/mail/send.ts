// Sends letters through the operator's mail server.
import { createTransport } from 'nodemailer'
import type { Sql } from '#/db/client.ts'
import { dueWorker, together, type DueWorker } from '#/jobs/worker.ts'
import type { Log } from '#/kernel/log.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import { requestReset } from '#/people/links.ts'
import { refusalOf } from '#/people/refusal.ts'
import type { PeopleDeps } from '#/people/user.ts'
import { findUserByEmail } from '#/people/users.ts'
import { openLetter, type Letter } from './letter.ts'
import * as queries from './queries.ts'
import type { DueLetter } from './queries.ts'
import { invitationText, noticeText, receiptText, resetText, userNewsText, type Text } from './words.ts'

export type MailDeps = {
  readonly sql: Sql
  readonly log: Log
  readonly masterKey: KeyRing
  readonly people: PeopleDeps
  /** smtp://user:password@host:port, or smtps:. */
  readonly server: string
  /** The sender. */
  readonly from: string
  /** How long the server may be silent. Default: 20 s. */
  readonly patienceMs?: number
}

const leaseMs = 2 * minuteMs
/** A letter that could not be sent within this time is dropped: its link has ended, or the person has requested another letter. */
const lifeMs = 24 * hourMs
const usualPatienceMs = 20 * secondMs

/**
 * Sends letters as they become due. Letters that a person waits for and letters of merchants are sent at the same time, over separate
 * connections, so neither delays the other. A letter whose sending had no answer is sent again with the same Message-ID, so that mail
 * programs show it once. Close the postman after `run` has ended.
 */
export function createPostman(deps: MailDeps): DueWorker & { close(): void } {
  const lanes = (['people', 'merchants'] as const).map((lane) => createCarrier(deps, lane))
  return { ...together(lanes), close: () => lanes.forEach((each) => each.close()) }
}

function createCarrier(deps: MailDeps, lane: queries.Lane): DueWorker & { close(): void } {
  const { sql, log, from, patienceMs = usualPatienceMs } = deps
  const transport = createTransport({
    url: deps.server,
    pool: true,
    maxConnections: 2,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.replace(/^.*@/, '').replace(/>.*$/, '')

  async function run(due: DueLetter): Promise<'done'> {
    const { id } = due
    const message = due.isOld ? 'old' : await messageOf(deps, openLetter(deps.masterKey, id, due.sealed))
    if (message === 'old') log.warn({ letter: id }, 'a letter could not be sent for a day and is dropped')
    else if (message !== undefined) {
      const { to, subject, text } = message
      await transport
        .sendMail({ from, to, subject, text, messageId: `<${id}@${domain}>` })
        .catch((error: unknown) => {
          if (!isRefused(error)) throw error
          log.warn({ letter: id }, 'the mail server refuses a letter for good')
        })
    }
    await queries.deleteLetter(sql, id)
    return 'done'
  }

  const worker = dueWorker<DueLetter>({
    name: 'letter',
    log,
    leaseMs,
    concurrency: { each: 2, total: 2 },
    isDue: queries.isLetterDue(lane),
    claim: (slots, forMs) => queries.claimLetters(sql, lane, slots, { leaseMs: forMs, lifeMs }),
    run,
    postpone: (due, waitMs) => queries.postponeLetter(sql, due, waitMs),
  })
  return { ...worker, close: () => transport.close() }
}

/** A 5xx answer of the server: sending the same again fails again (RFC 5321 §4.2.1). */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code === 'number' && code >= 500 && code < 600
}

/** Undefined: there is nobody to send it to. */
async function messageOf(
  { people }: MailDeps,
  letter: Letter,
): Promise<(Text & { readonly to: string }) | undefined> {
  if (letter.kind === 'NOTICE') return { to: letter.to, ...noticeText(letter.language, letter) }
  if (letter.kind === 'USER_NEWS') return { to: letter.to, ...userNewsText(letter.language, letter) }
  if (letter.kind === 'RECEIPT') return { to: letter.to, ...receiptText(letter.language, letter) }
  if (letter.kind === 'INVITATION') return { to: letter.to, ...invitationText(letter.language, letter) }
  const made = await requestReset(people, {}, letter.email).catch((error: unknown) => {
    if (refusalOf(error) === 'too_many_guesses') return undefined
    throw error
  })
  if (made === undefined) return undefined
  const user = await findUserByEmail(people, made.email)
  const url = `${people.site.origin}/open#${made.token}`
  return { to: made.email, ...resetText(user?.language ?? 'en', url) }
}
