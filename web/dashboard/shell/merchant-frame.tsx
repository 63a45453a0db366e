// What is around the screens of one merchant: the live feed, and the note that this is no real money.
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLive } from '../api/live.ts'
import { useMembership, rememberMerchant } from '../api/session.ts'
import { NotFound } from './not-found.tsx'

export function MerchantFrame() {
  const membership = useMembership()
  return membership === undefined ? <NotFound /> : <Frame key={membership.id} merchantId={membership.id} />
}

function Frame({ merchantId }: { readonly merchantId: string }) {
  useLive(merchantId)
  useEffect(() => rememberMerchant(merchantId), [merchantId])
  return <Outlet />
}
