// Changes by rule that are no faults: nothing that anybody can see depends on them.

export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

/** What an invariant refuses never happens, so no test can provoke it. */
export function isInvariant(node: Node): boolean {
  return node.type === 'CallExpression' && calledName(node) === 'invariant'
}

/** `log.info(…)`: for people who look for a cause. A warning or an error is an alarm, and is noticed. */
export function isRemark(call: Node): boolean {
  return ['info', 'debug'].includes(calledName(call))
}

/** A function of two arguments that gives the same with the arguments swapped. */
export function isCommutative(call: Node): boolean {
  return ['minOf', 'maxOf', 'min', 'max'].includes(calledName(call))
}

/**
 * The condition `rows.length > 0` of `rows.length > 0 && insertRows(tx, rows)`, or of an `if` before such a statement alone: to write a list of
 * nothing writes nothing, so it only spares a statement. Without it, or with `>= 0`, the same is written.
 */
export function sparingIn(node: Node): Node | undefined {
  const isAnd = node.type === 'LogicalExpression' && node['operator'] === '&&'
  const isIf = node.type === 'IfStatement' && node['alternate'] === null
  const condition = partOf(node, isIf ? 'test' : 'left')
  const called = isIf ? partOf(partOf(node, 'consequent'), 'expression') : partOf(node, 'right')
  if ((!isAnd && !isIf) || condition === undefined || !isSomething(condition)) return undefined
  return isWriting(called?.type === 'AwaitExpression' ? partOf(called, 'argument') : called)
    ? condition
    : undefined
}

/** `rows.length > 0`. */
function isSomething(node: Node): boolean {
  const value = partOf(node, 'right')?.['value']
  return (
    node['operator'] === '>' && nameOf(partOf(partOf(node, 'left'), 'property')) === 'length' && value === 0
  )
}

function isWriting(node: Node | undefined): boolean {
  return node?.type === 'CallExpression' && nameOf((node['arguments'] as readonly Node[])[0]) === 'tx'
}

/** `monotonicMs() > until`: a moment in fractions of a millisecond is never exactly another one. */
export function isOfMoment(node: Node | undefined): boolean {
  if (node?.type === 'BinaryExpression')
    return isOfMoment(partOf(node, 'left')) || isOfMoment(partOf(node, 'right'))
  return node?.type === 'CallExpression' && calledName(node) === 'monotonicMs'
}

/** `sleep(50)`: a pause is a pace. */
export function isPause(node: Node): boolean {
  return node.type === 'CallExpression' && calledName(node) === 'sleep'
}

/**
 * How many at once, how often, how long for one try: with one more the product gives the same answers. What a merchant can count (at most 1,000 in a
 * batch, a code for five minutes) has another name, and is changed.
 */
const paces =
  /^(?:\w*(?:lease|poll|pause|renew|renewEvery|refresh|refreshEvery|timeout|patience|others)Ms|page(?:Rows|Max|Size)|\w*atOnce(?:Max)?|chunk(?:Bytes)?|usual(?:Weight|Bytes)|itemBytes|(?:statement|deleted|connections|waiting|groups|reads|sent|due|round|passes|items|bytes|queue|calls|mints|remembered|accounts|weight|seals)Max)$/i

/** How large an item is in a batch: an estimate, by which a batch ends a little earlier or later. */
const sizes = /^(?:bytesOf|weightOf)$/

/** The number that is a pace in `const pageRows = 100`, `{ leaseMs: 5 * secondMs }`, `options.itemsMax ?? 500`; the function of an item's size. */
export function paceIn(node: Node): Node | undefined {
  if (node.type === 'Property' && sizes.test(nameOf(partOf(node, 'key')))) return partOf(node, 'value')
  const number = partOf(node, 'init') ?? partOf(node, 'value') ?? partOf(node, 'right')
  const named = partOf(node, 'id') ?? partOf(node, 'key') ?? partOf(partOf(node, 'left'), 'property')
  return paces.test(nameOf(named)) && isNumber(number) ? number : undefined
}

/** A number, or so many of a unit: `5 * secondMs`. */
function isNumber(node: Node | undefined): boolean {
  return node?.type === 'Literal' || (node?.type === 'BinaryExpression' && isNumber(partOf(node, 'left')))
}

/** The name of a called function, or of a called method. */
function calledName(call: Node): string {
  const callee = partOf(call, 'callee')
  return nameOf(callee) || nameOf(partOf(callee, 'property'))
}

function partOf(node: Node | undefined, part: string): Node | undefined {
  const value = node?.[part]
  return typeof value === 'object' && value !== null && 'type' in value ? (value as Node) : undefined
}

function nameOf(node: Node | undefined): string {
  return typeof node?.['name'] === 'string' ? node['name'] : ''
}
