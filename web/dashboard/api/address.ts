// Parameters of the address, as texts.
import { useParams } from '@tanstack/react-router'

/** The value of `$name` in the path of the screen; '' where the path has none. */
export function useParam(name: string): string {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  return params[name] ?? ''
}
