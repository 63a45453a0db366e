// Optional fields of a record.

/** The same fields, optional, and none of them undefined. */
type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The fields that have a value, in their order: one that is undefined is left out, one that is null stays. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const found: Partial<Fields> = {}
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name]
  return found as Given<Fields>
}
