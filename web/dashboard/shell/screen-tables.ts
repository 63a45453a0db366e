// Gives the table of screens to navigation, palette and screens. The table imports the screens, so screens cannot import the table: the
// routes put it into a context.
import { createContext, use, type ComponentType } from 'react'
import { mayUse, type Membership } from '../api/session.ts'

export type Screen = { readonly default?: never } & Readonly<Record<string, ComponentType>>

/** The groups of the navigation and their areas, in its order. A heading above one entry would only repeat it. */
const groups = [
  { heading: undefined, areas: ['overview'] },
  { heading: 'selling', areas: ['payments', 'link', 'refunds', 'disputes', 'templates'] },
  { heading: 'money', areas: ['wallets', 'withdrawals', 'subaccounts', 'reports'] },
  { heading: undefined, areas: ['developers'] },
  { heading: 'team', areas: ['members', 'settings'] },
] as const
export type Area = (typeof groups)[number]['areas'][number]

export type ScreenRow = {
  readonly area: Area
  /** Behind `/m/{merchant}/`. A parameter is `$name`. */
  readonly path: string
  /** What the role must have, for the screen and its place in the navigation. */
  readonly needs?: string
  readonly load: () => Promise<Screen>
  /** The component's name in the file. */
  readonly name: string
}

/** Behind `/account/`: what belongs to the user and to no merchant. */
export type UserRow = Pick<ScreenRow, 'path' | 'load' | 'name'>

/** Behind `/operator/`. */
export type OperatorRow = UserRow & Pick<Required<ScreenRow>, 'needs'>

/** The first row of an area that the role may see is where the navigation leads. Provided by the root route. */
export const ScreenTable = createContext<readonly ScreenRow[]>([])

export function useScreens(): readonly ScreenRow[] {
  return use(ScreenTable)
}

type AreaEntry = { readonly area: Area; readonly path: string }

/** The groups of areas that have screens which the member may see, each area with the path of the first of them. */
export function useAreaGroups(member: Membership | undefined): readonly {
  readonly heading: (typeof groups)[number]['heading']
  readonly entries: readonly AreaEntry[]
}[] {
  const screens = useScreens()
  if (member === undefined) return []
  return groups.flatMap(({ heading, areas }) => {
    const entries = areas.flatMap((area) => {
      const path = firstPath(screens, area, member)
      return path === undefined ? [] : [{ area, path }]
    })
    return entries.length === 0 ? [] : [{ heading, entries }]
  })
}

/** The first screen of an area that the member may see and that is of no one record. */
export function firstPath(screens: readonly ScreenRow[], area: Area, member: Membership): string | undefined {
  return screens.find((each) => each.area === area && !each.path.includes('$') && mayUse(each.needs, member))
    ?.path
}
