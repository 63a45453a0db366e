// How each language of the samples writes a step.
import type { Language, PathPart, Sample, Step, Value } from './calls.ts'
import { begins, verifies } from './programs.ts'

type Call = Extract<Step, { kind: 'call' }>
type Awaited = Extract<Step, { kind: 'await' }>

type Writer = { readonly call: (step: Call) => string; readonly awaits: (step: Awaited) => string }

/** In the order in which the documents show them. */
export const languages: readonly Language[] = ['sh', 'ts', 'python', 'php']

/** The text of a sample in a language. */
export function textOf(sample: Sample, language: Language): string {
  const { call, awaits } = writers[language]
  return sample
    .map((step) => {
      if (step.kind === 'begin') return begins[language]
      if (step.kind === 'verify') return verifies[language]
      return step.kind === 'call' ? call(step) : awaits(step)
    })
    .join('\n\n')
}

const writers: Readonly<Record<Language, Writer>> = {
  sh: {
    call({ result, method, path, body, prints }) {
      const name = result.toUpperCase()
      const data = body === undefined ? '' : ` -H 'content-type: application/json' -d '${shellBody(body)}'`
      const verb = method === 'POST' && body === undefined ? ' -X POST' : ''
      const call = `curl -sS${verb} "$API${path.map(shellPart).join('')}" -H "apikey: $KEY"${data}`
      if (prints.length === 0) return call
      // Every record begins with its id.
      const id = prints.includes('id') ? `\n${name}_ID=$(echo "$${name}" | cut -d '"' -f 4)` : ''
      return `${name}=$(${call})${id}\necho "$${name}"`
    },
    awaits: ({ path, field, value }) =>
      `for _ in $(seq 60); do curl -sS "$API${path.map(shellPart).join('')}" -H "apikey: $KEY" | grep -q '"${field}":"${value}"' && break; sleep 1; done`,
  },
  ts: program({
    variable: (name) => name,
    declare: 'const ',
    end: '',
    path: (path) => quoteWith('`', path, ({ from, field }) => `\${${from}.${field}}`),
    unique: (prefix) => `\`${prefix}-\${Date.now()}\``,
    open: '{',
    close: '}',
    entry: (name, value) => `${name}: ${value}`,
    print: (name, fields) => `console.log(${fields.map((field) => `${name}.${field}`).join(', ')})`,
    repeat: (name, call, field, value) =>
      `let ${name} = ${call}\nwhile (${name}.${field} !== '${value}') {\n  await new Promise((resolve) => setTimeout(resolve, 1000))\n  ${name} = ${call}\n}`,
    call: 'await call',
    quote: "'",
    indent: '  ',
  }),
  python: program({
    variable: (name) => name,
    declare: '',
    end: '',
    path: (path) => `f${quoteWith('"', path, ({ from, field }) => `{${from}['${field}']}`)}`,
    unique: (prefix) => `f"${prefix}-{time.time_ns()}"`,
    open: '{',
    close: '}',
    entry: (name, value) => `"${name}": ${value}`,
    print: (name, fields) => `print(${fields.map((field) => `${name}["${field}"]`).join(', ')})`,
    repeat: (name, call, field, value) =>
      `while (${name} := ${call})["${field}"] != "${value}":\n    time.sleep(1)`,
    call: 'call',
    quote: '"',
    indent: '    ',
  }),
  php: program({
    variable: (name) => `$${name}`,
    declare: '',
    end: ';',
    path: (path) => quoteWith('"', path, ({ from, field }) => `{$${from}['${field}']}`),
    unique: (prefix) => `'${prefix}-' . uniqid()`,
    open: '[',
    close: ']',
    entry: (name, value) => `'${name}' => ${value}`,
    print: (name, fields) => `echo ${fields.map((field) => `$${name}['${field}']`).join(", ' ', ")}, "\\n"`,
    repeat: (name, call, field, value) =>
      `while (($${name} = ${call})['${field}'] !== '${value}') {\n    sleep(1);\n}`,
    call: 'call',
    quote: "'",
    indent: '    ',
  }),
}

type Part = Exclude<PathPart, string>

type Grammar = {
  readonly variable: (name: string) => string
  readonly declare: string
  readonly end: string
  readonly path: (path: readonly PathPart[]) => string
  readonly unique: (prefix: string) => string
  readonly open: string
  readonly close: string
  readonly entry: (name: string, value: string) => string
  readonly print: (name: string, fields: readonly string[]) => string
  readonly repeat: (name: string, call: string, field: string, value: string) => string
  readonly call: string
  readonly quote: string
  readonly indent: string
}

/** A language with functions and literals, which differ in their signs alone. */
function program(grammar: Grammar): Writer {
  const { variable, declare, end, open, close, entry, print, repeat, quote } = grammar
  const text = (written: string) => `${quote}${written}${quote}`
  const write = (value: Value): string => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return String(value)
    if (isList(value)) return `[${value.map(write).join(', ')}]`
    if ('unique' in value) return grammar.unique(value.unique)
    if ('fields' in value)
      return `${open === '{' ? '{ ' : open}${entriesOf(value.fields).join(', ')}${close === '}' ? ' }' : close}`
    throw new Error('no body of a sample names an earlier answer')
  }
  const entriesOf = (fields: Readonly<Record<string, Value>>) =>
    Object.entries(fields).map(([name, value]) => entry(name, write(value)))
  const callOf = (method: string, path: readonly PathPart[], body?: Readonly<Record<string, Value>>) => {
    const address = path.every((part) => typeof part === 'string') ? text(path.join('')) : grammar.path(path)
    const sent =
      body === undefined
        ? ''
        : `, ${open}\n${entriesOf(body)
            .map((each) => `${grammar.indent}${each},\n`)
            .join('')}${close}`
    return `${grammar.call}(${text(method)}, ${address}${sent})`
  }
  return {
    call({ result, method, path, body, prints }) {
      const call = callOf(method, path, body)
      if (prints.length === 0) return call + end
      return `${declare}${variable(result)} = ${call}${end}\n${print(result, prints)}${end}`
    },
    awaits: ({ result, path, field, value }) => repeat(result, callOf('GET', path), field, value),
  }
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function quoteWith(quote: string, path: readonly PathPart[], inside: (part: Part) => string): string {
  return `${quote}${path.map((part) => (typeof part === 'string' ? part : inside(part))).join('')}${quote}`
}

function shellPart(part: PathPart): string {
  return typeof part === 'string' ? part : `$${part.from.toUpperCase()}_${part.field.toUpperCase()}`
}

/** JSON between single quotes, which end around what the shell computes. */
function shellBody(body: Readonly<Record<string, Value>>): string {
  const write = (value: Value): string => {
    if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value)
    if (isList(value)) return `[${value.map(write).join(', ')}]`
    if ('unique' in value) return `"${value.unique}-'$(date +%s)-$RANDOM'"`
    if ('fields' in value)
      return `{ ${Object.entries(value.fields)
        .map(([name, each]) => `"${name}": ${write(each)}`)
        .join(', ')} }`
    throw new Error('no body of a sample names an earlier answer')
  }
  const lines = Object.entries(body).map(([name, value]) => `  "${name}": ${write(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}
