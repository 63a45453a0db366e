// Pages for addresses that lead nowhere.
import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMerchant, useSession } from '../api/session.ts'
import { ButtonLink } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Fault } from '../kit/fault.tsx'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/reader.ts'

/** Inside of a frame, which has the page's main part. */
export function NotFound() {
  const words = useWords(frameWords)
  return (
    <Empty isPage icon="search" title={words.notFound} action={<ButtonLink to="/">{words.home}</ButtonLink>}>
      {words.notFoundLead}
    </Empty>
  )
}

/** A user without any merchant. */
export function NoMerchant() {
  const words = useWords(frameWords)
  return (
    <Empty isPage icon="user" title={words.noMerchant}>
      {words.noMerchantLead}
    </Empty>
  )
}

/** A screen that threw. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return <Fault error={error} onRetry={reset} />
}

// A screen that the role cannot read says so, for those who come by a link.

export function Allowed({
  needs,
  children,
}: {
  readonly needs: string | undefined
  readonly children: ReactNode
}) {
  const { may } = useMerchant()
  return needs === undefined || may(needs) ? children : <NotAllowed />
}

export function NotAllowed() {
  const words = useWords(frameWords)
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
