// The answers with problems as openapi.json has them. Each set of codes stands once, under a name made of its codes, and operations refer
// to it.
import { problem, problemCodes } from '#/contract/problems.ts'
import { pascal } from '#/contract/words.ts'
import { problems, problemUrl, type ProblemCode } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Json, Shapes } from './openapi-shapes.ts'

export type ProblemAnswers = {
  /** The answer with one of these codes, which have one status, for one place of the document. */
  of(codes: readonly ProblemCode[]): Json
  /** Every answer that `of` was called for, by its name. */
  named(): Json
  /** An example of each code that an answer names. Some problems come before any operation is known, such as a timeout: no answer has them. */
  examples(): Json
}

/** Collects the answers with problems of one document. */
export function collectProblemAnswers(shapes: Shapes): ProblemAnswers {
  const answers = new Map<string, Json>()
  const answered = new Set<ProblemCode>()
  return {
    of(codes) {
      // Generators make a type of the name, so it is neither that of a schema nor that of a code.
      const name = `${codes.map(pascal).join('Or')}Problem`
      if (!answers.has(name)) answers.set(name, answerOf(shapes, codes))
      for (const code of codes) answered.add(code)
      return { $ref: `#/components/responses/${name}` }
    },
    named: () => Object.fromEntries([...answers].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    examples: () =>
      Object.fromEntries(
        problemCodes.filter((code) => answered.has(code)).map((code) => [code, { value: exampleOf(code) }]),
      ),
  }
}

function answerOf(shapes: Shapes, codes: readonly ProblemCode[]): Json {
  const waits = codes.some((code) => problems[code].status === 429 || problems[code].status === 503)
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    ...given({ headers: waits ? { 'Retry-After': retryAfter } : undefined }),
    content: {
      'application/problem+json': {
        schema: shapes.of(problem),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

const retryAfter: Json = {
  description: 'Seconds.',
  schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
}

function exampleOf(code: ProblemCode): Json {
  const { status, title } = problems[code]
  const requestId = '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f'
  return { type: problemUrl(code), title, status, code, detail: `${title}.`, requestId }
}
