import type { Bank } from './bank.ts'
import type { Route } from './http.ts'
export function pageRoutes(_bank: Bank): readonly Route[] {
  return []
}
