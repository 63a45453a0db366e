// Methods → the client's methods in TypeScript: a table that the client reads at run time, and the type of what it makes of it.
import type { Document } from '../../generator/document.ts'
import { methodsOf, type Method } from '../../generator/methods.ts'
import { docOf, typeOf } from './types.ts'

/** The text of `operations.ts`. */
export function writeOperations(document: Document): string {
  const groups = [...methodsOf(document)].map(([group, methods]) => ({ group: camel(group), methods }))
  const signatures = groups.map(
    ({ group, methods }) => `  readonly ${group}: {\n${methods.map(signatureOf).join('')}  }\n`,
  )
  const rows = groups.map(({ group, methods }) => `  ${group}: {\n${methods.map(rowOf).join('')}  },\n`)
  return textOf(document, signatures, rows)
}

function signatureOf(method: Method): string {
  const { name, ids, body, needsBody, query, answer, item } = method
  const closed = { open: false, enums: new Set<string>() }
  const parts = [
    ...ids.map((id) => `${id}: string`),
    ...(body === undefined ? [] : [`body${needsBody ? '' : '?'}: ${typeOf(body, closed, '    ')}`]),
    ...(query.length === 0
      ? []
      : [
          `query?: {${query.map((each) => ` readonly ${each.name}?: ${typeOf(each.schema, closed, '')} | undefined`).join(';')} }`,
        ]),
    'options?: CallOptions',
  ]
  const result =
    item === undefined
      ? `Promise<${answer === undefined ? 'void' : typeOf(answer, closed, '')}>`
      : `Pages<${item}>`
  return `${docOf(method.doc, '    ')}    readonly ${name}: (${parts.join(', ')}) => ${result}\n`
}

function rowOf({ name, verb, path, body, query, item, takesKey }: Method): string {
  const facts = [
    `verb: '${verb}'`,
    `path: '${path}'`,
    ...(body === undefined ? [] : ['body: true']),
    ...(query.length === 0 ? [] : ['query: true']),
    ...(item === undefined ? [] : ['pages: true']),
    ...(takesKey ? ['key: true'] : []),
  ]
  return `    ${name}: { ${facts.join(', ')} },\n`
}

function textOf(document: Document, signatures: readonly string[], rows: readonly string[]): string {
  const used = signatures.join('')
  const names = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b(?!:)`).test(used),
  )
  return `// Made by generator/operations.ts from openapi.json. Do not edit: npm run sdk writes it again.
import type { CallOptions, OperationRow } from '../call.ts'
import type { Pages } from '../pages.ts'
import type {
${names.map((name) => `  ${name},\n`).join('')}} from './types.ts'

/** The client's methods, by resource. */
export type Resources = {
${used}}

/** What a call of each method needs. */
export const operations: { readonly [Group in keyof Resources]: { readonly [Name in keyof Resources[Group]]: OperationRow } } = {
${rows.join('')}}
`
}

function camel(tag: string): string {
  return tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
