// A bank transfer: everything that the payer enters at the bank, each to copy, and a code for apps that read it.
import type { Panels } from '#/checkout/methods/panels.ts'
import type { SepaLabels } from '#/checkout/methods/sepa-words.ts'
import { Qr } from '../parts/qr.tsx'
import { Row } from '../parts/receipt.tsx'
import type { MethodView, PanelProps } from './method-view.ts'

type Sepa = Panels['SEPA_TRANSFER']

export const sepaView: MethodView<Sepa> = { Panel: SepaPanel }

function SepaPanel({ state, panel }: PanelProps<Sepa>) {
  const words = state.texts as SepaLabels
  const { amount, beneficiary, iban, bic, reference } = panel
  return (
    <div class="panel">
      <dl class="rows">
        <Row
          state={state}
          id="pay-amount"
          label={words.sepaAmount}
          value={amount.text}
          copy={amount.value}
          isStrong
        />
        <Row
          state={state}
          id="pay-beneficiary"
          label={words.sepaBeneficiary}
          value={beneficiary}
          copy={beneficiary}
        />
        <Row state={state} id="pay-iban" label={words.sepaIban} value={iban.text} copy={iban.value} isCode />
        {bic !== undefined && (
          <Row state={state} id="pay-bic" label={words.sepaBic} value={bic} copy={bic} isCode />
        )}
        <Row
          state={state}
          id="pay-reference"
          label={words.sepaReference}
          value={reference.text}
          copy={reference.value}
          isCode
        />
      </dl>
      <Qr code={panel.qr} />
      <p class="hint">{words.sepaQrHint}</p>
      <p class="hint">{words.sepaAfter}</p>
    </div>
  )
}
