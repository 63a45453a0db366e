// The part of OpenAPI 3.1 that our document uses, and that the generator reads.

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export type Schema = {
  readonly $ref?: string
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly const?: string | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly maximum?: number | bigint
}

/** The name behind `#/components/schemas/…`. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** The schema of the first answer of an operation that is not an error; undefined when it has no JSON body. */
export function answerOf(operation: Operation): Schema | undefined {
  const [, found] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  return found?.content?.['application/json']?.schema
}

export function bodyOf(operation: Operation): Schema | undefined {
  return operation.requestBody?.content['application/json']?.schema
}

/** The names of all schemas that these ones contain, themselves included. */
export function reachable(
  document: Pick<Document, 'components'>,
  from: readonly (Schema | undefined)[],
): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined) return
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      if (names.has(name)) return
      names.add(name)
      visit(document.components.schemas[name])
    }
    const { properties = {}, anyOf = [], oneOf = [], items, additionalProperties } = schema
    for (const part of [...Object.values(properties), ...anyOf, ...oneOf]) visit(part)
    visit(items)
    if (typeof additionalProperties === 'object') visit(additionalProperties)
  }
  for (const schema of from) visit(schema)
  return names
}

export type NamedSchema = {
  readonly name: string
  readonly schema: Schema
  /** Whether requests contain it. */
  readonly isRequested: boolean
  /** An enumeration in an answer is open: later versions of the service may add values (openapi.json, info). */
  readonly isOpen: boolean
}

/** The schemas that clients need: those of requests and answers, events and problems. */
export function schemasInUse(document: Document): readonly NamedSchema[] {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const answered = reachable(document, [
    ...operations.map(answerOf),
    ...Object.values(document.webhooks).map(({ post }) => bodyOf(post)),
    ...['Problem', 'WebhookEvent'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  ])
  const requested = reachable(document, [
    ...operations.map(bodyOf),
    ...operations.flatMap(({ parameters = [] }) => parameters.map(({ schema }) => schema)),
  ])
  return Object.entries(document.components.schemas)
    .filter(([name]) => answered.has(name) || requested.has(name))
    .map(([name, schema]) => ({
      name,
      schema,
      isRequested: requested.has(name),
      isOpen: answered.has(name) && schema.enum === undefined,
    }))
}

/** The names of the schemas that are enumerations. */
export function enumsOf({ components }: Pick<Document, 'components'>): ReadonlySet<string> {
  const named = Object.entries(components.schemas)
  return new Set(named.filter(([, schema]) => schema.enum !== undefined).map(([name]) => name))
}
