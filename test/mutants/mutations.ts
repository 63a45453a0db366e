// Small faults, made by rule from the syntax tree of a file. Each changes one place of the text, and the changed text can be parsed.
import { parseAst } from 'rolldown/parseAst'
import {
  isCommutative,
  isInvariant,
  isOfMoment,
  isPause,
  isRemark,
  paceIn,
  sparingIn,
  type Node,
} from './no-faults.ts'
import { droppedConditions } from './sql-conditions.ts'

export const rules = [
  'one side of a condition dropped',
  'a bound moved',
  'a call dropped',
  'a condition of SQL dropped',
  'two arguments swapped',
  'a constant off by one',
] as const
export type MutationRule = (typeof rules)[number]

export type Mutation = {
  readonly rule: MutationRule
  /** Offsets in the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** What stands there instead. */
  readonly put: string
  /** The offsets of the functions around the place, innermost first: a test that runs the innermost of them may notice the fault. */
  readonly within: readonly (readonly [start: number, end: number])[]
}

/** All mutations of a file, in the order of their places. */
export function mutationsOf(text: string): readonly Mutation[] {
  const found: Mutation[] = []
  const within: (readonly [number, number])[] = []
  const sparing = new Set<Node>()
  const visit = (node: Node): void => {
    const isFunction = functions.has(node.type)
    // What an invariant refuses never happens, so no test can provoke it.
    if (isInvariant(node)) return
    if (isFunction) within.unshift([node.start, node.end])
    const spared = sparingIn(node)
    if (spared !== undefined) sparing.add(spared)
    for (const [rule, start, end, put] of changesOf(node, text))
      if (rule !== 'a bound moved' || !sparing.has(node))
        found.push({ rule, start, end, put, within: [...within] })
    const pace = paceIn(node)
    for (const child of childrenOf(node))
      if (child !== pace && !(isPause(node) && child.type === 'Literal')) visit(child)
    if (isFunction) within.shift()
  }
  const program: object = parseAst(text, { lang: 'ts' })
  visit(program as Node)
  return found
    .filter((mutation) => isProgram(mutated(text, mutation)))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** The text with the fault in it. */
export function mutated(text: string, { start, end, put }: Pick<Mutation, 'start' | 'end' | 'put'>): string {
  return text.slice(0, start) + put + text.slice(end)
}

type Change = readonly [rule: MutationRule, start: number, end: number, put: string]

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Types are erased, and a fault in them changes nothing. */
const isErased = (type: string) =>
  /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(type) || type === 'ImportDeclaration'

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'typeAnnotation' && key !== 'typeArguments' && key !== 'returnType')
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
    .filter(({ type }) => !isErased(type))
}

function changesOf(node: Node, text: string): readonly Change[] {
  switch (node.type) {
    case 'LogicalExpression':
      return droppedSides(node, text)
    case 'BinaryExpression':
      return movedBound(node, text)
    case 'ExpressionStatement':
      return droppedCall(node)
    case 'TaggedTemplateExpression':
      return conditionsOf(node, text)
    case 'CallExpression':
      return swappedArguments(node, text)
    case 'Literal':
      return otherConstant(node, text)
    default:
      return []
  }
}

/**
 * Ids are unique among all merchants. So a join that compares both ids and merchants finds the same rows without the merchants, which are there for
 * the primary key's order.
 */
const isOfKey = /^\s*(?:and)?\s*[\w.]*\bmerchant_id = [\w.]*\bmerchant_id\s*(?:and)?\s*$/

function conditionsOf(node: Node, text: string): readonly Change[] {
  return droppedConditions(text.slice(node.start, node.end)).flatMap(
    ({ start, end, put }): readonly Change[] => {
      const [from, to] = [node.start + start, node.start + end]
      return isOfKey.test(text.slice(from, to)) ? [] : [['a condition of SQL dropped', from, to, put]]
    },
  )
}

function droppedSides(node: Node, text: string): readonly Change[] {
  const { operator, left, right, start, end } = node
  // `a ?? b` is no condition.
  if (operator !== '&&' && operator !== '||') return []
  const isSpared = sparingIn(node) !== undefined
  return [left, right].flatMap((side): readonly Change[] => {
    const kept = side as Node
    // To write a list of nothing writes nothing: the left side spares a statement.
    if (isSpared && side === right) return []
    return [['one side of a condition dropped', start, end, `(${text.slice(kept.start, kept.end)})`]]
  })
}

const movedBounds: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

function movedBound(node: Node, text: string): readonly Change[] {
  const { operator, left, right } = node
  const moved = movedBounds[String(operator)]
  if (moved === undefined || isOfMoment(node)) return []
  const [from, to] = [(left as Node).end, (right as Node).start]
  return [['a bound moved', from, to, text.slice(from, to).replace(String(operator), moved)]]
}

/** Also an awaited call. */
function droppedCall({ expression, start, end }: Node): readonly Change[] {
  const { type, argument } = expression as Node
  const called = type === 'AwaitExpression' ? (argument as Node) : (expression as Node)
  return called.type === 'CallExpression' && !isInvariant(called) && !isRemark(called)
    ? [['a call dropped', start, end, 'void 0']]
    : []
}

/** Two neighbours whose names end alike, such as `amountMinor` and `feeMinor`: most likely of one type. */
function swappedArguments(node: Node, text: string): readonly Change[] {
  const args = node['arguments'] as readonly Node[]
  if (isCommutative(node)) return []
  return args.flatMap((one, index): readonly Change[] => {
    const two = args[index + 1]
    const kind = kindOf(one, text)
    if (two === undefined || kind === undefined || kind !== kindOf(two, text)) return []
    const [first, second] = [text.slice(one.start, one.end), text.slice(two.start, two.end)]
    if (first === second) return []
    const put = second + text.slice(one.end, two.start) + first
    return [['two arguments swapped', one.start, two.end, put]]
  })
}

function kindOf({ type, start, end, property, computed }: Node, text: string): string | undefined {
  if (type === 'MemberExpression' && computed === true) return undefined
  const named = type === 'MemberExpression' ? (property as Node) : { start, end }
  if (type !== 'Identifier' && type !== 'MemberExpression') return undefined
  return /(?:[A-Z][a-z]*|^[a-z]+)$/.exec(text.slice(named.start, named.end))?.[0].toLowerCase()
}

function otherConstant({ value, bigint, start, end }: Node, text: string): readonly Change[] {
  if (typeof bigint === 'string') return [['a constant off by one', start, end, `${BigInt(bigint) + 1n}n`]]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return []
  // A property's name is no constant, and neither is the version of a format that is written as 0x….
  return text.slice(start, end).startsWith('0x')
    ? []
    : [['a constant off by one', start, end, String(value + 1)]]
}

function isProgram(text: string): boolean {
  try {
    parseAst(text, { lang: 'ts' })
    return true
  } catch {
    return false
  }
}
