// Which panel a method has. A new method is a file beside this one, and its line here.
import type { PageState } from '#/checkout/page-state.ts'
import { CardPanel } from './card.tsx'
import { CryptoPanel } from './crypto.tsx'
import { PartnerPayPanel } from './partner-pay.tsx'
import { PixPanel } from './pix.tsx'

type PanelProps = {
  readonly state: PageState
  /** Asks the server to look at the provider now. Absent on the server. */
  readonly check?: () => void
}

export function PanelOf({ state, check }: PanelProps) {
  const { panel } = state
  switch (panel?.method) {
    case undefined:
      return null
    case 'PIX':
      return <PixPanel state={state} panel={panel} />
    case 'CRYPTO':
      return <CryptoPanel state={state} panel={panel} />
    case 'CREDIT_CARD':
      return <CardPanel state={state} panel={panel} {...(check === undefined ? {} : { check })} />
    case 'PARTNER_PAY':
      return <PartnerPayPanel state={state} panel={panel} />
  }
}
