// A screen that the role cannot read says so, for those who come by a link.
import type { ReactNode } from 'react'
import { useMerchant, useSession } from '../api/session.ts'
import { ButtonLink } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/reader.ts'
import { NotFound } from './not-found.tsx'

export function Allowed({
  needs,
  children,
}: {
  readonly needs: string | undefined
  readonly children: ReactNode
}) {
  const words = useWords(frameWords)
  const { may } = useMerchant()
  if (needs === undefined || may(needs)) return children
  return (
    <Empty
      isPage
      icon="shield"
      title={words.notAllowed}
      action={<ButtonLink to="/">{words.home}</ButtonLink>}
    >
      {words.notAllowedLead}
    </Empty>
  )
}

/** For everybody but operators their console does not exist. */
export function OperatorOnly({ needs, children }: { readonly needs: string; readonly children: ReactNode }) {
  const { operatorPermissions } = useSession()
  return operatorPermissions.includes(needs) ? children : <NotFound />
}
