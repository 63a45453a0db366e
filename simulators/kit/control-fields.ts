// The fields of control calls: how each is read, what is refused, and how a form of the page asks for it.
import type { Attributes } from '../../web/live/markup.ts'
import { asInteger, asText, type Fields } from './fields.ts'
import { controlProblem, type Refusal } from './refusal.ts'

export type Field<T> = {
  /** Throws a Refusal that names the field. */
  read(value: unknown, name: string): T
  /** Of an input in a form; and what is chosen from, with its words. */
  readonly input?: Attributes
  readonly options?: Readonly<Record<string, string>>
}
export type FieldTable = Readonly<Record<string, Field<unknown>>>
export type Values<Of extends FieldTable> = {
  readonly [Name in keyof Of]: Of[Name] extends Field<infer T> ? T : never
}

export function bad(detail: string): Refusal {
  return controlProblem(400, 'invalid_request', detail)
}

export function valuesOf<Of extends FieldTable>(fields: Of, body: Fields): Values<Of> {
  const read = Object.entries(fields).map(([name, field]) => [name, field.read(body[name], name)])
  return Object.fromEntries(read) as Values<Of>
}

/** `words`: what it is, for the refusal of anything else. `parse`: undefined for what is refused. */
export function field<T>(
  words: string,
  parse: (value: unknown) => T | undefined,
  input: Attributes = {},
): Field<T> {
  return {
    read: (value, name) => {
      const found = parse(value)
      if (found === undefined) throw bad(`${name} is ${words}`)
      return found
    },
    input,
  }
}

export function optional<T>(of: Field<T>): Field<T | undefined> {
  return { ...of, read: (value, name) => (value === undefined ? undefined : of.read(value, name)) }
}

/** With what an absent field counts as. */
export function usually<T>(usual: T, of: Field<T>): Field<T> {
  return { ...of, read: (value, name) => (value === undefined ? usual : of.read(value, name)) }
}

export const flag = field('true or false', (value) => (typeof value === 'boolean' ? value : undefined))

/** Any text, which may name nothing: what is looked up by it is refused then. */
export const name: Field<string> = { read: (value) => asText(value, 200) ?? '' }

export const webAddress = field('an address that begins with http or https', (value) => {
  const url = asText(value, 256)
  return url !== undefined && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined
})

export function text(max: number): Field<string> {
  return field(`a text of 1 to ${max} characters`, (value) => asText(value, max), { maxlength: `${max}` })
}

export function matching(words: string, shape: RegExp): Field<string> {
  return field(words, (value) => (typeof value === 'string' && shape.test(value) ? value : undefined))
}

export function whole(min: number, max: number): Field<number> {
  return field(`a whole number from ${min} to ${max}`, (value) => asInteger(value, min, max))
}

/** One of the words; a form shows them as `options` says. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  options?: Readonly<Record<Word, string>>,
): Field<Word> {
  const one = field(`one of ${words.join(', ')}`, (value) => words.find((each) => each === value))
  return options === undefined ? one : { ...one, options }
}

/** At least one text of this shape. */
export function someOf(words: string, fits: (each: string) => boolean): Field<readonly string[]> {
  return field(words, (value) => {
    const isList =
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((each) => typeof each === 'string' && fits(each))
    return isList ? (value as readonly string[]) : undefined
  })
}
