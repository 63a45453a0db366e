// The types of records, from their schemas.
import type { Static, TSchema } from 'typebox'

/** What a schema of an answer describes. A whole number beyond 2^53 is a bigint, whose digits `toJson` writes. */
export type Of<Schema extends TSchema> = Answered<Static<Schema>>

type Answered<Value> = Value extends number
  ? number | bigint
  : Value extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Answered<Value[Name]> }
      : Value

/** What a schema of a request describes: nothing changes what a caller sent. */
export type Sent<Schema extends TSchema> = Deep<Static<Schema>>

type Deep<Value> = Value extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Deep<Value[Name]> }
    : Value

/** Each field of a record, one that does not apply as undefined or null, but for those that are added elsewhere. */
type Fields<Record, Elsewhere> = {
  readonly [Name in keyof Record as Exclude<Name, Elsewhere>]-?: object extends Pick<Record, Name>
    ? Record[Name] | undefined | null
    : Record[Name]
}

/**
 * The record of a schema, from all of its fields; those that do not apply are left out. The compiler refuses a field that is forgotten, and
 * one that the schema does not have: so name the fields here, and spread none. `Elsewhere`: optional fields that somebody else adds.
 */
export function recordOf<Schema extends TSchema, Elsewhere extends keyof Of<Schema> = never>(
  fields: Fields<Of<Schema>, Elsewhere>,
): Of<Schema> {
  const record: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) record[name] = value
  return record as Of<Schema>
}
