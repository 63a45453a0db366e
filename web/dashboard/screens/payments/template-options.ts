// The merchant's templates, as the choices of a filter.
import { useOne } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'

type Templates = { readonly data: readonly { readonly slug: string }[] }

/** Empty for who may not see templates. */
export function useTemplateOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { may } = useMerchant()
  const { data } = useOne<Templates>('templates', 'names', 'templates', {}, may('templates:read'))
  return (data?.data ?? []).map(({ slug }) => ({ value: slug, label: slug }))
}
