// A simulator's table of control calls. What is said of a call here makes its route, and the buttons and forms by which people
// make the same call on the simulator's page.
import type { Markup } from '../../web/live/markup.ts'
import { oneOf, valuesOf, type FieldTable, type Values } from './control-fields.ts'
import { fieldsOf, type Fields } from './fields.ts'
import type { Call, Reply, Route } from './http.ts'
import { action, formOf, switches, type FormWords } from './page-parts.ts'
import { controlProblem } from './refusal.ts'

/** What people see of it, what the call is sent, and whether it can be made now: default yes. `isOn`: it is a switch. */
export type Button<Sent> = readonly [
  words: string,
  sent: { readonly [Name in keyof Sent]?: unknown },
  how?: { readonly when?: boolean; readonly isOn?: boolean; readonly style?: 'first' | 'plain' },
]

export type ControlCall<Of extends FieldTable, Object, Found = undefined> = {
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Below `/_sim/`. */
  readonly path: string
  readonly fields?: Of
  readonly bodyBytesMax?: number
  /** Of the answer whose body `run` returns. Default: 200. */
  readonly status?: number | ((values: Values<Of>) => number)
  /** What the path names. Throws a Refusal, before the fields are read, when there is no such thing. */
  readonly find?: (params: Call['params']) => Found
  readonly run: (values: Values<Of>, found: Found, call: Call) => unknown
  /** How the call names the object that it acts on: by parameters of its path, and by fields. */
  readonly names?: (of: Object) => Readonly<Record<string, string>>
  readonly buttons?: (of: Object) => readonly Button<Of>[]
  /** Buttons that few people want. */
  readonly more?: (of: Object) => readonly Button<Of>[]
  /** Its first button is the one that people most often want. */
  readonly leads?: true
  readonly form?: (of: Object) => FormWords<Of>
}

type NoFields = Readonly<Record<string, never>>

export type Control<Object = undefined> = {
  readonly route: Route
  /** The buttons that can be pressed now. */
  buttons(of: Object): readonly Markup[]
  more(of: Object): readonly Markup[]
  form(of: Object): Markup
}

/** What a call changes is one group of events of this store. */
export type Together = { together<T>(work: () => T): T }

export function control<Of extends FieldTable = NoFields, Object = undefined, Found = undefined>(
  store: Together,
  call: ControlCall<Of, Object, Found>,
): Control<Object> {
  const { method = 'POST', status = 200, fields = {} as Of, run, names = () => ({}) } = call
  const path = `/_sim/${call.path}`
  const sentTo = (of: Object) => {
    const parts = Object.entries<string>(names(of))
    const isInPath = (name: string) => path.split('/').includes(`:${name}`)
    return {
      path: parts.reduce((filled, [name, value]) => filled.replace(`:${name}`, value), path),
      body: Object.fromEntries(parts.filter(([name]) => !isInPath(name))),
    }
  }
  const shown = (of: Object, buttons: readonly Button<Of>[], leads = false): readonly Markup[] =>
    buttons
      .filter(([, , how]) => how?.when !== false)
      .map(([words, sent, { style, isOn } = {}], at) => {
        const usual = leads && at === 0 ? 'first' : 'second'
        const { path: to, body } = sentTo(of)
        return action(words, to, { ...body, ...sent }, style ?? usual, isOn)
      })
  return {
    route: {
      ...route(method, path, async (body, made) => {
        // Without `find`, Found is undefined.
        const found = call.find?.(made.params) as Found
        const values = valuesOf(fields, body)
        const answer = await store.together(() => run(values, found, made))
        return { status: typeof status === 'number' ? status : status(values), body: answer }
      }),
      ...(call.bodyBytesMax === undefined ? {} : { bodyBytesMax: call.bodyBytesMax }),
    },
    buttons: (of) => shown(of, call.buttons?.(of) ?? [], call.leads),
    more: (of) => shown(of, call.more?.(of) ?? []),
    form: (of) => formOf(fields, sentTo(of), call.form?.(of) ?? { submit: '', labels: {} }),
  }
}

export type Choice = Pick<Control, 'route'> & { readonly section: () => Markup }

/** `POST path {mode}` sets one of the modes that `words` names, and answers what `set` returns. `fields`: what else the call says. */
export function choice<Mode extends string, Of extends FieldTable = NoFields>(
  store: Together,
  {
    path,
    title,
    words,
    current,
    fields = {} as Of,
    set,
  }: {
    readonly path: string
    readonly title: string
    readonly words: Readonly<Record<Mode, string>>
    readonly current: () => Mode
    readonly fields?: Of
    readonly set: (mode: Mode, others: Values<Of>) => unknown
  },
): Choice {
  const modes = Object.keys(words) as Mode[]
  const { route: made, buttons } = control(store, {
    path,
    fields: { mode: oneOf(modes) },
    run: ({ mode }, _, call) => set(mode, valuesOf(fields, fieldsOf(call) ?? {})),
    buttons: () => modes.map((mode) => [words[mode], { mode }, { isOn: mode === current() }]),
  })
  return { route: made, section: () => switches(title, buttons(undefined)) }
}

/** A route whose body is a JSON object; an empty body counts as an empty one. */
export function route(
  method: string,
  path: string,
  handle: (body: Fields, call: Call) => Reply | Promise<Reply>,
): Route {
  return {
    method,
    path,
    handle: (call) => {
      const body = call.body.length === 0 ? {} : fieldsOf(call)
      if (body === undefined) throw controlProblem(400, 'invalid_request', 'The body is not a JSON object')
      return handle(body, call)
    },
  }
}

/** Refuses calls that a page of another site makes in a browser on this machine. */
export function mustBeLocal({ headers, method }: Call): void {
  const isLocal = (host: string | undefined) =>
    /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host ?? '')
  if (!isLocal(headers.host)) throw controlProblem(403, 'foreign_host', 'Only for callers on this machine')
  const { origin } = headers
  if (
    method !== 'GET' &&
    origin !== undefined &&
    !(URL.canParse(origin) && new URL(origin).host === headers.host)
  )
    throw controlProblem(403, 'foreign_origin', 'Only for this simulator’s own page')
}
