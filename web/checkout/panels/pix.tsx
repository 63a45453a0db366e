// Pix: a payer on the phone copies the code, any other payer scans it.
import type { Panels } from '#/checkout/methods/panels.ts'
import type { PixLabels } from '#/checkout/methods/pix-words.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Qr } from '../parts/qr.tsx'
import { Row } from '../parts/receipt.tsx'
import { asWritten } from '../parts/said.tsx'
import type { MethodView, PanelProps } from './method-view.ts'

type Pix = Panels['PIX']

export const pixView: MethodView<Pix> = { Panel: PixPanel }

function PixPanel({ state, panel }: PanelProps<Pix>) {
  const words = state.texts as PixLabels
  return (
    <div class="panel pix">
      <Qr code={panel.qr} />
      <div class="code">
        <CopyButton state={state} value={panel.code} label={words.pixCopy} from="pix-code" isPrimary />
        <p class="code-name" id="pix-code-name">
          {words.pixCode}
        </p>
        <code id="pix-code" class="whole" aria-labelledby="pix-code-name" {...asWritten}>
          {panel.code}
        </code>
      </div>
      {(panel.amount ?? panel.receiver) !== undefined && (
        <dl class="rows">
          {panel.amount !== undefined && (
            <Row state={state} id="pix-amount" label={words.pixAmount} value={panel.amount.text} isStrong />
          )}
          {panel.receiver !== undefined && (
            <Row state={state} id="pix-receiver" label={words.pixReceiver} value={panel.receiver} />
          )}
        </dl>
      )}
      <h3 class="aside">{words.pixSteps}</h3>
      <ol class="steps">
        <li>{words.pixStep1}</li>
        <li>{words.pixStep2}</li>
        <li>{words.pixStep3}</li>
      </ol>
    </div>
  )
}
