// The merchant's templates, as the choices of a filter.
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'

/** Empty for who may not see templates. */
export function useTemplateOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { may } = useMerchant()
  const { data } = useRead('listTemplates', { enabled: may('templates:read') })
  return (data?.data ?? []).map(({ slug }) => ({ value: slug, label: slug }))
}
