// Methods → the client's methods in Python, once for the synchronous client and once for the asynchronous one.
import { type Document, type Parameter } from '../../generator/document.ts'
import { capital, methodsOf, type Method } from '../../generator/methods.ts'
import { docstring, hasFields, isPythonName, pythonTypeOf } from './types.ts'

/** What differs between the two. */
const kinds = {
  sync: { prefix: '', def: 'def', wait: '' },
  async: { prefix: 'Async', def: 'async def', wait: 'await ' },
} as const

type Kind = (typeof kinds)[keyof typeof kinds]

/** Resources that have more than their operations, written by hand. */
const bases: Readonly<Record<string, string>> = { events: 'FollowedEvents' }

const closed = new Set<string>()

/** The text of `resources.py` or `async_resources.py`. */
export function writeResources(document: Document, which: keyof typeof kinds): string {
  const kind = kinds[which]
  const groups = [...methodsOf(document)]
  const classes = groups.map(([group, methods]) => {
    const base = `${kind.prefix}${bases[group] ?? 'Resource'}`
    const written = methods.map((method) => methodOf(document, method, kind))
    return `\n\nclass ${classOf(document, group, kind)}(${base}):\n${written.join('\n')}`
  })
  const attributes = groups.map(([group, methods]) => {
    assertArguments(group, methods)
    return `        self.${snake(group)} = ${classOf(document, group, kind)}(sender)\n`
  })
  const code = classes.join('')
  return `${headerOf(document, code, kind)}${code}

class ${kind.prefix}Resources:
    """The client's methods, by resource."""

    def __init__(self, sender: ${kind.prefix}Sender) -> None:
${attributes.join('')}`
}

function headerOf(document: Document, code: string, { prefix }: Kind): string {
  const names = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b(?=[ \\],"|)])`).test(code),
  )
  const mapping = code.includes('Mapping[') ? 'from collections.abc import Mapping\n' : ''
  return `# Made by sdk/python/generator/resources.ts from openapi.json. Do not edit: npm run sdk writes it again.
from __future__ import annotations

${mapping}from typing import cast

from typing_extensions import Unpack

from .._call import Call, CallOptions, path
from .._follow import ${prefix}FollowedEvents
from .._send import ${prefix}Resource, ${prefix}Sender
from ..pages import ${prefix}Pages
from .types import (
${names.map((name) => `    ${name},\n`).join('')})
`
}

function methodOf(document: Document, method: Method, { prefix, def, wait }: Kind): string {
  const { ids, verb, query, answer, item, takesKey, needsKey } = method
  const body = method.body?.$ref === undefined ? undefined : bodyOf(document, method.body.$ref)
  const returned = answer === undefined ? 'None' : pythonTypeOf(answer, closed)
  const given = [
    ...ids.map((id) => `${id}: str`),
    ...(body === undefined ? [] : [body + (method.needsBody ? '' : ' | None = None')]),
  ]
  const named = [
    ...query.map(({ name, schema }) => `${argument(name)}: ${pythonTypeOf(schema, closed)} | None = None`),
    ...(hasKeyArgument(method) ? ['idempotency_key: str | None = None'] : []),
  ]
  const args = [
    'self',
    ...given,
    ...(given.length > 0 ? ['/'] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
    '**options: Unpack[CallOptions]',
  ]
  const parts = [
    `"${verb}"`,
    ids.length === 0 ? `"${method.path}"` : `path("${method.path}", ${ids.join(', ')})`,
    ...(query.length === 0 ? [] : [`query={${queryOf(query)}}`]),
    ...(method.body === undefined
      ? []
      : [`body=${body === undefined ? '{}' : method.needsBody ? 'body' : 'body or {}'}`]),
    ...(takesKey ? ['takes_key=True'] : []),
    ...(needsKey ? ['needs_key=True'] : []),
    ...(hasKeyArgument(method) ? ['key=idempotency_key'] : []),
  ]
  const call = `Call(${parts.join(', ')})`
  const isPaged = item !== undefined
  const head = `    ${isPaged ? 'def' : def} ${snake(method.name)}(${args.join(', ')}) -> ${isPaged ? `${prefix}Pages[${item}]` : returned}:\n`
  const sent = `${wait}self._call(${call}, options)`
  const last = isPaged
    ? `return self._pages(${call}, options)`
    : answer === undefined
      ? sent
      : `return cast("${returned}", ${sent})`
  return `${head}${docstring(method.doc, '        ')}        ${last}\n`
}

/** What the body must have is no argument too. */
function hasKeyArgument({ takesKey, needsKey }: Method): boolean {
  return takesKey && !needsKey
}

/** The parameter; undefined for a body without fields, which is sent empty. */
function bodyOf(document: Document, ref: string): string | undefined {
  const name = pythonTypeOf({ $ref: ref }, closed)
  return hasFields(document.components.schemas[name] ?? {}) ? `body: ${name}` : undefined
}

function queryOf(query: readonly Parameter[]): string {
  return query.map(({ name }) => `"${name}": ${argument(name)}`).join(', ')
}

/** Arguments of one method are told apart, and from the options of every call. */
function assertArguments(group: string, methods: readonly Method[]): void {
  for (const method of methods) {
    const { name, ids, query } = method
    const all = [
      ...ids,
      'body',
      ...(hasKeyArgument(method) ? ['idempotency_key'] : []),
      'timeout',
      'max_retries',
      ...query.map((each) => argument(each.name)),
    ]
    if (new Set(all).size !== all.length) throw new Error(`${group}.${name} has two arguments of one name`)
  }
}

/** `customerEmail` is `customer_email`, `from` is `from_`. */
function argument(name: string): string {
  return isPythonName(name) ? snake(name) : `${snake(name)}_`
}

function snake(name: string): string {
  return name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A record may have the name of a resource, as `Settings` has, and a class would hide its type. */
function classOf({ components }: Document, group: string, { prefix }: Kind): string {
  const name = prefix + group.split('-').map(capital).join('')
  return name in components.schemas ? `${name}Resource` : name
}
