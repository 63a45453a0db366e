// The calls of the dashboard's pages, written from both tables of routes: the API's, which members call below `/m/{merchant}`, and the
// dashboard's own. A call of a page that the server does not have, or with other fields, does not compile.
import type { TSchema } from 'typebox'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { onlyForKeys, urlOf } from '#/dashboard/server.ts'
import { collectShapes, type Shapes } from '#/http/openapi-shapes.ts'
import { routes } from '#/http/routes.ts'
import { reachable, type Schema } from '../sdk/generator/document.ts'
import { docOf, typeOf, type Scope } from '../sdk/typescript/generator/types.ts'

type Called = {
  readonly operationId: string
  readonly summary: string
  readonly verb: string
  /** Below `/api`, with `{merchant}` and `{id}`. */
  readonly path: string
  readonly query: Schema | undefined
  readonly body: Schema | undefined
  readonly isBodyOptional: boolean
  readonly bytes: boolean
  readonly answer: Schema | undefined
}

/** The text of `web/dashboard/api/generated.ts`. */
export function writeCalls(): string {
  const shapes = collectShapes()
  const calls = calledOf(shapes)
  const schemas = shapes.named() as Readonly<Record<string, Schema>>
  const names = { components: { schemas } }
  const answered = reachable(
    names,
    calls.map(({ answer }) => answer),
  )
  const sent = reachable(
    names,
    calls.map(({ body }) => body),
  )
  const used = Object.entries(schemas).filter(([name]) => answered.has(name) || sent.has(name))
  const types = used.map(([name, schema]) => {
    const { enum: values } = schema
    if (values === undefined)
      return `export type ${name} = ${typeOf(schema, sent.has(name) ? bodies : answers, '')}\n`
    const list = values.map((value) => `'${value}'`).join(', ')
    return `export const ${pluralOf(name)} = [${list}] as const\nexport type ${name} = (typeof ${pluralOf(name)})[number]\n`
  })
  return [
    header,
    ...types,
    `/** What each call sends and gets. */\nexport type Calls = {\n${calls.map(signatureOf).join('')}}\n`,
    `/** Where each call goes: below \`/api\`. */\nexport const places = {\n${calls.map(placeOf).join('')}} as const satisfies Record<keyof Calls, string>\n`,
  ].join('\n')
}

const header = `// Made by scripts/dashboard-calls.ts from the tables of routes. Do not edit: npm run openapi writes it again.
import type { Minor } from '../kit/format.ts'

/** A value of a query: text of the address, which often a person can change. The server checks it. */
export type QueryValue = Minor | string | boolean | undefined
type Query<Name extends string> = { readonly [Each in Name]?: QueryValue }
`

function calledOf(shapes: Shapes): readonly Called[] {
  const of = (schema: TSchema | undefined) =>
    schema === undefined ? undefined : (shapes.of(forPages(schema) as TSchema) as Schema)
  return [
    ...routes
      .filter(({ operationId }) => !onlyForKeys.has(operationId))
      .map((route) => ({
        ...route,
        path: `/m/{merchant}${route.path.slice('/v1'.length)}`,
        reads: undefined,
      })),
    ...dashboardRoutes.map((route) => ({
      ...route,
      bodyOptional: false,
      path: urlOf(route)
        .slice('/api'.length)
        .replaceAll(/:(\w+)/g, '{$1}'),
    })),
  ].map(({ operationId, summary, method, path, query, body, bodyOptional, answer, reads }) => ({
    operationId,
    summary,
    verb: method,
    path,
    query: of(query),
    body: of(body),
    isBodyOptional: bodyOptional === true,
    bytes: reads === 'bytes',
    answer: of(answer),
  }))
}

/** An enumeration is described differently where it stands, and is one type. Pages send the key of a request as its header. */
function forPages(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== 'idempotencyKey').map(forPages)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, of]) => key !== 'idempotencyKey' && (key !== 'description' || typeof of === 'object'),
  )
  return Object.fromEntries(kept.map(([key, of]) => [key, forPages(of)]))
}

/** Answers are written without fields that do not apply, and their numbers are wide where no number of JavaScript holds the largest. */
const answers: Scope = {
  open: false,
  enums: new Set(),
  exact: true,
  integer: ({ maximum = 0 }) => (maximum > Number.MAX_SAFE_INTEGER ? 'Minor' : 'number'),
}

/** What is sent leaves out the fields that are undefined. */
const bodies: Scope = { open: false, enums: new Set(), integer: () => 'Minor' }

function signatureOf({
  operationId,
  summary,
  path,
  query,
  body,
  isBodyOptional,
  bytes,
  answer,
}: Called): string {
  const input = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `readonly ${name}: string`),
    ...(query === undefined ? [] : [queryOf(query)]),
    ...(body === undefined
      ? []
      : [`readonly body${isBodyOptional ? '?' : ''}: ${typeOf(body, bodies, '    ')}`]),
    ...(bytes ? ['readonly bytes: Blob'] : []),
  ]
  const answered = answer === undefined ? 'undefined' : typeOf(answer, answers, '    ')
  const isPaged = query?.properties?.['cursor'] !== undefined
  return `${docOf(summary, '  ')}  readonly ${operationId}: {
    readonly input: { ${input.join('; ')} }
    readonly answer: ${answered}
${isPaged ? '    readonly isPaged: true\n' : ''}  }
`
}

function queryOf({ properties = {}, required = [] }: Schema): string {
  const names = Object.entries(properties).map(([name, { type }]) =>
    type === 'object' ? `\`${name}[\${string}]\`` : `'${name}'`,
  )
  const needed = required.map((name) => `{ readonly ${name}: QueryValue }`)
  return `readonly query${required.length > 0 ? '' : '?'}: ${[`Query<${names.join(' | ')}>`, ...needed].join(' & ')}`
}

function placeOf({ operationId, verb, path }: Called): string {
  return `  ${operationId}: '${verb} ${path}',\n`
}

function pluralOf(name: string): string {
  const plural = name.replace(/(?:(s)|([^aeo])y)$/, (_, s?: string, before?: string) =>
    s === undefined ? `${before}ie` : 'se',
  )
  return `${plural.slice(0, 1).toLowerCase()}${plural.slice(1)}s`
}
