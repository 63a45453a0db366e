import type { EqualMutant } from './equal-mutant.ts'

export const restored: readonly EqualMutant[] = [
  {
    file: 'src/restored/money-out-queries.ts',
    find: "and status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING') and not left_before_restore",
    put: "and status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING') ",
    why: 'Marks again what is marked: the condition only spares a second write of the same.',
  },
  {
    file: 'src/restored/signed.ts',
    find: 'let next = 0n',
    put: 'let next = 1n',
    why: 'A wallet of which a nonce was signed continues with 1 at the least.',
  },
  {
    file: 'src/restored/signed.ts',
    find: 'start < inSpan.length',
    put: 'start <= inSpan.length',
    why: 'A page without transactions names nothing.',
  },
  {
    file: 'src/restored/signed.ts',
    find: 'after = moves.at(-1)?.id',
    put: 'after = moves.at(-2)?.id',
    why: 'The last movement of a page is read twice, and named the same.',
  },
  {
    file: 'src/restored/signed.ts',
    find: 'const leftMax = 200',
    put: 'const leftMax = 201',
    why: 'The size of a page changes nothing of what is found.',
  },
  {
    file: 'src/restored/signed.ts',
    find: 'move !== undefined && recorded.has(move)',
    put: '(recorded.has(move))',
    why: 'What was recorded are names: none of them is undefined.',
  },
  {
    file: 'src/restored/money-out.ts',
    find: 'if (departed.length > 0)',
    put: 'if (departed.length >= 0)',
    why: 'Without references the statements mark nothing.',
  },
  {
    file: 'src/restored/money-out.ts',
    find: 'if (gone.length > 0)',
    put: 'if (gone.length >= 0)',
    why: 'Without references the statements mark nothing.',
  },
  {
    file: 'src/restored/begin.ts',
    find: "step === 'jump' && ids.length > 0",
    put: "(step === 'jump')",
    why: 'Without merchants the statement writes nothing.',
  },
  {
    file: 'src/restored/begin.ts',
    find: 'ids.length > 0',
    put: 'ids.length >= 0',
    why: 'Without merchants the statement writes nothing.',
  },
  {
    file: 'src/restored/begin.ts',
    find: 'const sessionsMax = 1_000',
    put: 'const sessionsMax = 1001',
    why: 'The size of a round changes nothing of what is ended.',
  },
  {
    file: 'src/restored/money-out-sources.ts',
    find: 'const leftMax = 200',
    put: 'const leftMax = 201',
    why: 'The size of a page changes nothing of what is listed.',
  },
]
