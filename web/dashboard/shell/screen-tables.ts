// Gives the tables of screens to navigation, palette and screens. The tables import the screens, so screens cannot import the tables: the
// routes put them into a context.
import { createContext, use, type ComponentType } from 'react'
import type { Texts } from '#/kernel/dictionary.ts'

export type Screen = { readonly default?: never } & Readonly<Record<string, ComponentType>>

/** The order of the navigation. */
const areas = [
  'overview',
  'payments',
  'link',
  'wallets',
  'subaccounts',
  'withdrawals',
  'refunds',
  'disputes',
  'reports',
  'templates',
  'developers',
  'settings',
] as const
export type Area = (typeof areas)[number]

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
export type OperatorRow = UserRow & {
  readonly needs: string
  /** Absent: it is reached from another screen, and has no place in the navigation. */
  readonly label?: Texts
}

type Tables = {
  /** The first row of an area that the role may see is where the navigation leads. */
  readonly screens: readonly ScreenRow[]
  /** The console appears in the navigation when this table and the user's permissions are not empty. */
  readonly operatorScreens: readonly OperatorRow[]
}

/** Provided by the root route. */
export const ScreenTables = createContext<Tables>({ screens: [], operatorScreens: [] })

export function useScreens(): readonly ScreenRow[] {
  return use(ScreenTables).screens
}

export function useOperatorScreens(): readonly OperatorRow[] {
  return use(ScreenTables).operatorScreens
}

/** The areas that have screens which these permissions allow, each with the path of the first of them. */
export function useAreas(
  permissions: readonly string[],
): readonly { readonly area: Area; readonly path: string }[] {
  const screens = useScreens()
  return areas.flatMap((area) => {
    const first = screens.find(
      (each) =>
        each.area === area &&
        !each.path.includes('$') &&
        (each.needs === undefined || permissions.includes(each.needs)),
    )
    return first === undefined ? [] : [{ area, path: first.path }]
  })
}
