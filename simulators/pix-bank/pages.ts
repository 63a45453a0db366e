// Lists by creation time, page by page, with the filters of the API Pix.
import { instantOf } from '../kit/clock.ts'
import type { Call } from '../kit/http.ts'
import { violation, type ProblemType } from './problem.ts'

export type Window = {
  readonly from: number
  readonly to: number
  readonly page: number
  readonly size: number
}

/**
 * `inicio`, `fim` and `paginacao.*` of a call. `isOpen`: both instants may be left out; then there is no limit. Refuses values that
 * violate the schema.
 */
export function windowOf(call: Call, type: ProblemType, isOpen = false): Window {
  const bad = (name: string, value: string | null) =>
    violation(type, name, `O parâmetro ${name} não respeita o schema.`, value ?? undefined)
  const instant = (name: string, usual: number) => {
    const text = call.query.get(name)
    if (text === null && isOpen) return usual
    const at = instantOf(text ?? '')
    if (at === undefined) throw bad(name, text)
    return at
  }
  const integer = (name: string, usual: number, min: number, max: number) => {
    const text = call.query.get(name)
    if (text === null) return usual
    const value = /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : -1
    if (value < min || value > max) throw bad(name, text)
    return value
  }
  const window = {
    from: instant('inicio', 0),
    to: instant('fim', Number.MAX_SAFE_INTEGER),
    page: integer('paginacao.paginaAtual', 0, 0, 2_147_483_647),
    size: integer('paginacao.itensPorPagina', 100, 1, 1000),
  }
  if (window.to < window.from) throw violation(type, 'fim', 'O parâmetro fim é anterior ao parâmetro inicio.')
  if (call.query.has('cpf') && call.query.has('cnpj'))
    throw violation(type, 'cpf', 'Os parâmetros cpf e cnpj não podem estar ambos preenchidos.')
  return window
}

/** A parameter of this shape, or undefined when it is absent. */
export function textOf(call: Call, name: string, shape: RegExp, type: ProblemType): string | undefined {
  const text = call.query.get(name)
  if (text === null) return undefined
  if (!shape.test(text)) throw violation(type, name, `O parâmetro ${name} não respeita o schema.`, text)
  return text
}

/** A parameter that is true or false, or undefined when it is absent. */
export function flagOf(call: Call, name: string, type: ProblemType): boolean | undefined {
  const text = call.query.get(name)
  if (text === null) return undefined
  if (text !== 'true' && text !== 'false')
    throw violation(type, name, `O parâmetro ${name} não respeita o schema.`, text)
  return text === 'true'
}

/** The entries of a list that is ordered by `at`, from the first at or after `from` to the last at or before `to`. */
export function within<T>(list: readonly T[], at: (entry: T) => number, { from, to }: Window): readonly T[] {
  return list.slice(
    firstWhere(list, (each) => at(each) >= from),
    firstWhere(list, (each) => at(each) > to),
  )
}

/** The first index at which `holds` is true; from there on it must be true everywhere. */
function firstWhere<T>(list: readonly T[], holds: (entry: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = list[middle]
    if (entry !== undefined && holds(entry)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * One page, and `parametros` as every list of the API Pix starts with them: `filters` are the other requested parameters,
 * in their own types; undefined ones were not requested.
 */
export function pageOf<T>(
  call: Call,
  found: readonly T[],
  { page, size }: Window,
  filters: Readonly<Record<string, string | boolean | undefined>> = {},
) {
  const span = { inicio: call.query.get('inicio') ?? undefined, fim: call.query.get('fim') ?? undefined }
  const echoed = Object.entries({ ...span, ...filters }).filter(([, value]) => value !== undefined)
  return {
    items: found.slice(page * size, (page + 1) * size),
    parametros: {
      ...Object.fromEntries(echoed),
      paginacao: {
        paginaAtual: page,
        itensPorPagina: size,
        quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
        quantidadeTotalDeItens: found.length,
      },
    },
  }
}
