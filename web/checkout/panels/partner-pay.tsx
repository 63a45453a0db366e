// The partner's wallet app: opened by a button on the phone that has it, or by scanning the code from any other screen.
import type { Panels } from '#/checkout/methods/panels.ts'
import type { PartnerPayLabels } from '#/checkout/methods/partner-pay-words.ts'
import { Mark } from '../parts/marks.tsx'
import { Qr } from '../parts/qr.tsx'
import { asWritten } from '../parts/said.tsx'
import type { MethodView, PanelProps } from './method-view.ts'

type PartnerPay = Panels['PARTNER_PAY']

export const partnerPayView: MethodView<PartnerPay> = { Panel: PartnerPayPanel }

function PartnerPayPanel({ state, panel }: PanelProps<PartnerPay>) {
  const words = state.texts as PartnerPayLabels
  return (
    <div class="panel app">
      <p class="app-name">
        <Mark name={panel.mark} />
        <span {...asWritten}>{panel.name}</span>
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
