// A choice among modes, said once: its control call, and its switches on the page.
import type { Markup } from '../../web/live/markup.ts'
import { oneOf } from './control-fields.ts'
import { route } from './control-route.ts'
import type { Fields } from './fields.ts'
import type { Route } from './http.ts'
import { choices } from './page-parts.ts'

export type Choice = { readonly route: Route; readonly section: () => Markup }

/** `POST path {mode}` sets one of the modes that `words` names, and answers what `set` returns. `body`: what else the call says. */
export function choice<Mode extends string>({
  path,
  title,
  words,
  current,
  set,
}: {
  readonly path: string
  readonly title: string
  readonly words: Readonly<Record<Mode, string>>
  readonly current: () => Mode
  readonly set: (mode: Mode, body: Fields) => unknown
}): Choice {
  const modes = Object.keys(words) as Mode[]
  return {
    route: route('POST', path, (body) => ({ status: 200, body: set(oneOf(body, 'mode', modes), body) })),
    section: () => choices(title, path, words, current()),
  }
}
