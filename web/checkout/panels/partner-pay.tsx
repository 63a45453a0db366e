// The partner's wallet app: opened by a button on the phone that has it, by its camera from any other screen.
import type { PageState, Panel } from '#/checkout/page-state.ts'
import { Mark } from '../parts/marks.tsx'
import { Qr } from '../parts/qr.tsx'
import { wordsOf } from '../words.ts'

type Props = { readonly state: PageState; readonly panel: Extract<Panel, { method: 'PARTNER_PAY' }> }

export function PartnerPayPanel({ state, panel }: Props) {
  const words = wordsOf(state)
  return (
    <div class="panel app">
      <p class="app-name">
        <Mark name={panel.mark} />
        {panel.name}
      </p>
      <div class="scan">
        <p class="hint on-touch">{words.appScan}</p>
        <Qr code={panel.qr} />
      </div>
      <a class="button" href={panel.appUrl}>
        {words.appOpen}
      </a>
    </div>
  )
}
