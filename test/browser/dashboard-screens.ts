// The addresses of all screens of the dashboard, read from its tables of screens: what is added there is pictured and examined too.
import { readFileSync } from 'node:fs'

const table = ['screens.ts', 'operator-screens.ts']
  .map((name) => readFileSync(new URL(`../../web/dashboard/${name}`, import.meta.url), 'utf8'))
  .join('\n')

/** Paths behind `/m/{merchant}/`. A parameter is `$name`; the overview is the empty path. */
export const merchantPaths: readonly string[] = table
  .split(/\barea\(\s*'/)
  .slice(1)
  .flatMap((area) => {
    const base = /^\w+',\s*'([^']*)'/.exec(area)?.[1] ?? ''
    return [...area.matchAll(/\bpage\(\s*'([^']*)'/g)].map(([, path = '']) => `${base}${path}`)
  })
if (merchantPaths.length < 5) throw new Error('the table of screens has another form')

/** Paths behind `/operator/`. */
export const operatorPaths: readonly string[] = pathsOf(/\boperatorRow\(\s*'([^']*)'/g)

/** Paths behind `/account/`: what belongs to the user alone. */
export const userPaths: readonly string[] = pathsOf(/\buserRow\(\s*'([^']*)'/g, 2)

/** The path with the values of its parameters; undefined when one has no value. */
export function withValues(path: string, values: Readonly<Record<string, string>>): string | undefined {
  const filled = path.replace(/\$(\w+)/g, (parameter, name: string) => values[name] ?? parameter)
  return filled.includes('$') ? undefined : filled
}

function pathsOf(pattern: RegExp, least = 5): readonly string[] {
  const found = [...table.matchAll(pattern)].map(([, path]) => path ?? '')
  if (found.length < least) throw new Error('the table of screens has another form')
  return found
}
