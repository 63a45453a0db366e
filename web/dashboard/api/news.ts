// The new records that a merchant's list does not show yet.
import { clearNew, useNewCount } from './marks.ts'
import { useMerchant } from './session.ts'

/** How many they are, and what shows them: the list is fetched again by `retry`. */
export function useNews(
  area: string,
  retry: () => void,
): { readonly count: number; readonly show: () => void } {
  const { id } = useMerchant()
  const list = `${id} ${area}`
  const count = useNewCount(list)
  const show = () => {
    clearNew(list)
    retry()
  }
  return { count, show }
}
