// Optional fields of a record.

/** The same fields, optional, and none of them undefined. */
type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The fields that have a value, in their order: one that is undefined is left out, one that is null stays. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const found: Partial<Fields> = {}
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name]
  return found as Given<Fields>
}

type WithoutNulls<Row> = {
  readonly [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name]
} & { readonly [Name in keyof Row as null extends Row[Name] ? Name : never]?: Exclude<Row[Name], null> }

/** What is null is absent. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>
}
