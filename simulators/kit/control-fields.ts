// Reads the fields of a control call, and refuses invalid ones.
import { asInteger, type Fields } from './fields.ts'
import { controlProblem, type Refusal } from './refusal.ts'

export function bad(detail: string): Refusal {
  return controlProblem(400, 'invalid_request', detail)
}

/** A whole number, or undefined when it is absent. */
export function integer(body: Fields, name: string, min: number, max: number): number | undefined {
  if (body[name] === undefined) return undefined
  const value = asInteger(body[name], min, max)
  if (value === undefined) throw bad(`${name} is a whole number from ${min} to ${max}`)
  return value
}

/** One of the words. */
export function oneOf<Word extends string>(body: Fields, name: string, words: readonly Word[]): Word {
  const found = words.find((each) => each === body[name])
  if (found === undefined) throw bad(`${name} is one of ${words.join(', ')}`)
  return found
}
