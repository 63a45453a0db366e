import type { EqualMutant } from './equal-mutant.ts'

export const people: readonly EqualMutant[] = [
  {
    file: 'src/people/throttle.ts',
    find: 'Buffer.compare(a.key, b.key)',
    put: 'Buffer.compare(b.key, a.key)',
    why: 'Any order does, as long as it is one everywhere.',
  },
  {
    file: 'src/people/passkeys.ts',
    find: 'instantPart = 8',
    put: 'instantPart = 9',
    why: 'The parts are read where they were written, and the ninth byte is never used.',
  },
  {
    file: 'src/people/sessions.ts',
    find: 'if (methodsOf(session).length > 0) return 0',
    put: 'if (methodsOf(session).length > 1) return 0',
    why: 'Who has a factor has at least two ways: it and the recovery codes.',
  },
  {
    file: 'src/people/sessions.ts',
    find: 'if (methods.length > 0 && !session.isFactorFresh)',
    put: 'if (methods.length > 1 && !session.isFactorFresh)',
    why: 'Who has a factor has at least two ways: it and the recovery codes.',
  },
  {
    file: 'src/people/passkeys.ts',
    find: "return isCredential(value) && typeof value.response['authenticatorData'] === 'string'",
    put: 'return (isCredential(value))',
    why: 'The library throws for an answer without these bytes, which is caught and refused in the same way.',
  },
  {
    file: 'src/people/passkeys.ts',
    find: "return isCredential(value) && typeof value.response['attestationObject'] === 'string'",
    put: 'return (isCredential(value))',
    why: 'The library throws for an answer without these bytes, which is caught and refused in the same way.',
  },
  {
    file: 'src/people/links.ts',
    find: 'link.userId !== null || (await selectUserByEmail(sql, email)) !== undefined',
    put: '((await selectUserByEmail(sql, email)) !== undefined)',
    why: 'A link to a user has their email, and neither the email of a user nor a user ever goes.',
  },
  {
    file: 'src/people/throttle.ts',
    find: 'await waitForNoDisk(tx)',
    put: 'void 0',
    why: 'The same row is written; the answer only waits for the disk.',
  },
  {
    file: 'src/people/audit-log.ts',
    find: 'matching.length >= page.limit',
    put: 'matching.length > page.limit',
    why: 'Behind the last entry of a page that is just full, what was scanned does not match: the next page may begin behind all of it.',
  },
]
