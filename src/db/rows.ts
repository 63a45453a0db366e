// Rows as parameters: one array for each column. One object says each column, its type and its value once.
import { list, type Fragment, type Sql, type Tx } from './client.ts'
import type { Element, List } from './statement.ts'

type Type = 'uuid' | 'text' | 'integer' | 'bigint' | 'numeric' | 'boolean' | 'bytea' | 'timestamptz'

/** `merchant_id` is `merchantId` in code. */
type Property<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Property<Rest>>}`
  : Name

/** The type of a column whose value is the row's property of its name, or the type and the value. Of `json` the value is not a text yet. */
type Column<Row, Name extends string> =
  | (Row extends { readonly [name in Property<Name>]?: Element } ? Type : never)
  | readonly [type: Type, valueOf: (row: Row) => Element]
  | readonly [type: 'json', valueOf: (row: Row) => unknown]

type Given<Row> = Column<Row, string> | readonly [type: Type | 'json', valueOf: (row: Row) => unknown]

/**
 * The rows for `from` and joins: `unnest(…) as wanted (merchant_id, key)`. Null and undefined values are NULL.
 *
 *     from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', key: ['text', (each) => each.name] })}
 *
 * Rows of many columns on a hot path are faster as `(select unnest(…) as merchant_id, …) as wanted`: see `list`.
 */
export function rowsOf<Row, Name extends string>(
  sql: Sql | Tx,
  name: string,
  rows: readonly Row[],
  columns: { readonly [name in Name]: Column<Row, name> },
): Fragment {
  const arrays = Object.entries(columns as Readonly<Record<string, Given<Row>>>).map(([column, given]) =>
    arrayOf(rows, column, given),
  )
  return fragmentOf(sql, ['unnest(', ...joined(arrays), `) as ${name} (${Object.keys(columns).join(', ')})`])
}

/**
 * The rows for an insert, with the names of its columns: `insert into wallet ${valuesOf(tx, wallets, { id: 'uuid', version: tx`1` })}`.
 * A fragment is the value of every row.
 */
export function valuesOf<Row, Name extends string>(
  sql: Sql | Tx,
  rows: readonly Row[],
  columns: { readonly [name in Name]: Column<Row, name> | Fragment },
): Fragment {
  const values = Object.entries(columns as Readonly<Record<string, Given<Row> | Fragment>>).map(
    ([column, given]) =>
      given instanceof Promise ? [given] : ['unnest(', ...arrayOf(rows, column, given), ')'],
  )
  return fragmentOf(sql, [`(${Object.keys(columns).join(', ')}) select `, ...joined(values)])
}

/** A piece of a statement: its text, a parameter, or a fragment of it. */
type Piece = string | List | Fragment

function arrayOf<Row>(rows: readonly Row[], column: string, given: Given<Row>): readonly Piece[] {
  const [type, valueOf] = typeof given === 'string' ? ([given, propertyOf(column)] as const) : given
  const values = rows.map(type === 'json' ? (row) => textOf(valueOf(row)) : (row) => valueOf(row) as Element)
  return [list(values), `::${type}[]`]
}

/** An element of an array is a text; the driver would encode it once more in a parameter of its own. */
function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

function propertyOf(column: string): (row: unknown) => unknown {
  const property = nameOf(column)
  return (row) => (row as Readonly<Record<string, unknown>>)[property]
}

/** The names of columns stand in our own code, so they are few. */
const namesOfColumns = new Map<string, string>()

function nameOf(column: string): string {
  const known = namesOfColumns.get(column)
  if (known !== undefined) return known
  const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  namesOfColumns.set(column, name)
  return name
}

/** `merchantId` is `merchant_id` in a table. */
type ColumnName<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${ColumnName<Rest>}`
  : Name

/** The row of a record: each field is a column, which is NULL when the record does not have the field. */
export type RowOf<Fields> = {
  [Name in keyof Fields & string as ColumnName<Name>]-?: object extends Pick<Fields, Name>
    ? Exclude<Fields[Name], undefined> | null
    : Fields[Name]
}

/** The record of a row. A batch reads hundreds of rows, so nothing is made between the two. */
export function fromRow<Fields extends object>(row: RowOf<Fields>): Fields {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) if (value !== null) fields[nameOf(column)] = value
  return fields as Fields
}

function joined(groups: readonly (readonly Piece[])[]): readonly Piece[] {
  return groups.flatMap((pieces, index) => (index === 0 ? pieces : [', ', ...pieces]))
}

/** What the tagged template of these texts and values would be. */
function fragmentOf(sql: Sql | Tx, pieces: readonly Piece[]): Fragment {
  const texts = ['']
  const values: (List | Fragment)[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') texts.push(`${texts.pop()}${piece}`)
    else {
      values.push(piece)
      texts.push('')
    }
  }
  return sql(Object.assign(texts, { raw: texts }), ...values)
}
