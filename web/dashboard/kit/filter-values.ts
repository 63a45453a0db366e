// The values of filters in the address of a page: so a filtered list can be sent, and comes back with the Back button.
import { useNavigate, useSearch } from '@tanstack/react-router'

export type Values = Readonly<Record<string, string | undefined>>

/** The filters' values in the address, and how to change some of them. */
export function useFilters(): readonly [Values, (values: Values) => void] {
  const values: Values = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changes: Values) => {
    const next = Object.entries({ ...values, ...changes }).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    void navigate({ to: '.', search: Object.fromEntries(next), replace: true, resetScroll: false })
  }
  return [values, change]
}
